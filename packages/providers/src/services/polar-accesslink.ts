import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Polar AccessLink: webhooks of an app. */
export const polarAccesslink = defineService({
  name: 'polar-accesslink',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'polar-webhook-signature' }),
  kind: 'event',
  subject: ['user_id', 'entity_id'],
  time: 'timestamp',
  handshake: fixedHandshake({ when: { json: { event: 'PING' } } }),
})

export const facts: ServiceFacts = {
  title: 'Polar AccessLink',
  docs: 'https://www.polar.com/accesslink-api/#webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://raw.githubusercontent.com/api-evangelist/polar/refs/heads/main/openapi/polar-accesslink-webhooks-asyncapi.yml',
    'https://github.com/the-momentum/open-wearables/blob/main/backend/app/services/providers/polar/webhook_handler.py',
  ],
  setup: [
    'Create a webhook with the address with the API.',
    'The secret is `signature_secret_key` in the response. Polar shows it once.',
  ],
  retries: 'unknown',
  traps: ['The `PING` is not signed.', 'Seven days of failures disable the webhook.'],
}
