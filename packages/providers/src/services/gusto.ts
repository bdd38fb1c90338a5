import { bodyToken, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { secretHandshake } from '@sallyport/webhooks/handshakes'

/** Gusto: webhook subscriptions. */
export const gusto = defineService({
  name: 'gusto',
  signature: {
    ...hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-gusto-signature' }),
    // A refused handshake has the secret in its body.
    redactBody: bodyToken('verification_token').redactBody,
  },
  handshake: secretHandshake({ json: 'verification_token', kind: 'event_type' }),
  kind: 'event_type',
  id: 'uuid',
  subject: ['entity_type', 'entity_uuid'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Gusto',
  docs: 'https://docs.gusto.com/embedded-payroll/docs/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.gusto.com/embedded-payroll/docs/webhooks',
    'https://docs.gusto.com/app-integrations/docs/webhooks',
    'https://docs.gusto.com/embedded-payroll/reference/put-v1-verify-webhook-subscription-uuid',
    'https://docs.gusto.com/embedded-payroll/changelog/added-unique-identifier-to-webhook-event-payload',
  ],
  identity:
    'https://docs.gusto.com/embedded-payroll/changelog/added-unique-identifier-to-webhook-event-payload',
  setup: [
    'Create an endpoint without a secret, and a webhook subscription with its address: `POST /v1/webhook_subscriptions`.',
    'Gusto posts a `verification_token` to the address. The endpoint stores it as the secret. An endpoint accepts it for one hour after you create the endpoint, and after `POST /endpoints/{id}/handshake`.',
    'Read the token once, on the page of the endpoint in the console or with `POST /endpoints/{id}/handshake/secret`, and send it to `PUT /v1/webhook_subscriptions/{webhook_subscription_uuid}/verify`.',
    'The address without an endpoint stores no token: show the token with a program that prints the body, and set it as the secret.',
  ],
  retries: 'up to 16 times with growing delays',
}
