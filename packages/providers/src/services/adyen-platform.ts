import { defineService, hexSecret, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Adyen: webhooks of platforms, banking and management. */
export const adyenPlatform = defineService({
  name: 'adyen-platform',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'hmacsignature', key: hexSecret() }),
  kind: 'type',
  subject: 'data.id',
  time: ['timestamp', 'createdAt'],
})

export const facts: ServiceFacts = {
  title: 'Adyen (platforms)',
  docs: 'https://docs.adyen.com/platforms/manage-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.adyen.com/platforms/manage-webhooks',
    'https://docs.adyen.com/development-resources/webhooks/troubleshoot',
    'https://docs.adyen.com/api-explorer/Tokenization-webhooks/1/post/recurring.token.alreadyExisting',
  ],
  setup: [
    'Open Developers, Webhooks in the Customer Area, and create a webhook for your platform with the address.',
    'Generate an HMAC key there. The secret is this key, in hexadecimal.',
    'For payments, use `adyen`.',
  ],
  retries: 'three times at once, then with delays of 2 minutes to 8 hours for up to 30 days',
  traps: ['After a new key, Adyen signs with the previous key for some time: configure both.'],
}
