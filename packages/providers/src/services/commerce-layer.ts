import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { readPath } from '../agreement.ts'
import { topics } from '../commerce-layer-topics.ts'

/** Commerce Layer: webhooks of an organization. */
export const commerceLayer = defineService({
  name: 'commerce-layer',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-commercelayer-signature' }),
  kind: { header: 'x-commercelayer-topic' },
  subject: ['data.type', 'data.id'],
  time: ['data.attributes.updated_at', 'data.attributes.created_at'],
  names: topics,
  agrees: ({ headers, payload }) =>
    headers.get('x-commercelayer-topic')?.split('.', 1)[0] === readPath(payload, 'data.type'),
})

export const facts: ServiceFacts = {
  title: 'Commerce Layer',
  docs: 'https://docs.commercelayer.io/core/callbacks-security',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.commercelayer.io/core/real-time-webhooks',
    'https://github.com/commercelayer/app-webhooks/blob/main/packages/app/src/data/events.ts',
    'https://github.com/commercelayer/commercelayer-sdk-utils/blob/main/src/resources/webhooks.ts',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/commercelayer-webhooks',
    'https://github.com/atoms-studio/commercelayer-webhooks',
  ],
  setup: [
    'Create a webhook with the topic and the address as `callback_url` with the API.',
    'The secret is `shared_secret` of the response.',
  ],
  retries: 'up to ten times; after 30 failures in a row, Commerce Layer opens the circuit of the webhook',
  traps: [
    'The topic is in a header that is not signed. Its resource must agree with the signed body, so that a captured delivery can still get another topic of the same resource.',
    'Commerce Layer waits 5 seconds for the response.',
  ],
}
