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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Fireblocks',
  docs: 'https://developers.fireblocks.com/reference/validating-webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, General, Webhooks, or use the API, and create a webhook with the address.',
    'The secret is the URL of the key set: `https://keys.fireblocks.io/.well-known/jwks.json`, or the one of your environment.',
  ],
  retries: 'ten attempts within about 8 hours',
  traps: ['Fireblocks also sends `fireblocks-signature`, which the provider ignores.'],
}
