import { bodyToken, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Gusto: webhook subscriptions. */
export const gusto = defineService({
  name: 'gusto',
  signature: {
    ...hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-gusto-signature' }),
    // Gusto posts the secret once, without a signature.
    redactBody: bodyToken('verification_token').redactBody,
  },
  kind: 'event_type',
  id: 'uuid',
  subject: ['entity_type', 'entity_uuid'],
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Gusto',
  docs: 'https://docs.gusto.com/embedded-payroll/docs/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.gusto.com/embedded-payroll/docs/webhooks',
    'https://docs.gusto.com/app-integrations/docs/webhooks',
    'https://docs.gusto.com/embedded-payroll/changelog/added-unique-identifier-to-webhook-event-payload',
  ],
  identity:
    'https://docs.gusto.com/embedded-payroll/changelog/added-unique-identifier-to-webhook-event-payload',
  setup: [
    'Create a webhook subscription with the address with the API.',
    'Gusto posts a `verification_token`: verify the subscription with it. The secret is this token.',
  ],
  retries: 'up to 16 times with growing delays',
}
