import { defineService, hexSecret, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Adyen: webhooks of platforms, banking and management. */
export const adyenPlatform = defineService({
  name: 'adyen-platform',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'hmacsignature', key: hexSecret() }),
  kind: 'type',
  subject: 'data.id',
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Adyen (platforms)',
  docs: 'https://docs.adyen.com/platforms/manage-webhooks',
  confidence: 'primary',
  setup: [
    'Open Developers, Webhooks in the Customer Area, and create a webhook for your platform with the address.',
    'Generate an HMAC key there. The secret is this key, in hexadecimal.',
    'For payments, use `adyen`.',
  ],
  traps: ['After a new key, Adyen signs with the previous key for some time: configure both.'],
}
