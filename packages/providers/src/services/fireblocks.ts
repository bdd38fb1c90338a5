import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { detachedJws } from '@sallyport/webhooks/jwt'

/** Fireblocks: webhooks of version 2. */
export const fireblocks = defineService({
  name: 'fireblocks',
  signature: detachedJws({
    header: 'fireblocks-webhook-signature',
    algorithms: ['RS512'],
    keySet: (secret) => secret,
  }),
  kind: 'eventType',
  id: 'id',
  subject: ['workspaceId', 'resourceId'],
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Fireblocks',
  docs: 'https://developers.fireblocks.com/reference/validating-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.fireblocks.com/reference/webhook-v2-data-objects',
    'https://developers.fireblocks.com/reference/webhooks-best-practices',
    'https://developers.fireblocks.com/reference/webhooks-resend-troubleshooting',
    'https://developers.fireblocks.com/reference/validating-webhooks',
  ],
  identity: 'https://developers.fireblocks.com/reference/webhook-v2-data-objects',
  setup: [
    'Open Settings, General, Webhooks, or use the API, and create a webhook with the address.',
    'The secret is the URL of the key set: `https://keys.fireblocks.io/.well-known/jwks.json`, or the one of your environment.',
  ],
  retries: 'ten attempts within about 8 hours; a status of 400 to 499 except 408 and 429 is final',
  traps: ['Fireblocks also sends `fireblocks-signature`, which the provider ignores.'],
}
