import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Flutterwave: webhooks of API version 4. */
export const flutterwave = defineService({
  name: 'flutterwave',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'flutterwave-signature' }),
  kind: 'type',
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Flutterwave',
  docs: 'https://developer.flutterwave.com/docs/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.flutterwave.com/docs/webhooks',
    'https://community.useremb.com/flutterwave/docs/webhooks',
  ],
  setup: [
    'Open Settings, Webhooks, and enter the address and a secret hash.',
    'The secret is the secret hash.',
  ],
  retries: 'unknown',
  traps: [
    'Webhooks of API version 3 send the secret hash itself in `verif-hash`: this provider refuses them.',
  ],
}
