import { defineService, hash, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Cloudinary: notifications of product environments. */
export const cloudinary = defineService({
  name: 'cloudinary',
  signature: hash({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-cld-signature',
    timestamp: signedTime({ header: 'x-cld-timestamp', toleranceSeconds: 7200 }),
    content: ({ body, timestamp, secret }) => [body, timestamp, secret],
  }),
  kind: 'notification_type',
  subject: ['asset_id', 'public_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Cloudinary',
  docs: 'https://cloudinary.com/documentation/notifications',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://cloudinary.com/documentation/notifications',
    'https://cloudinary.com/documentation/notification_signatures.md',
  ],
  setup: [
    'Open Settings, Webhook Notifications, and add a notification URL with the address.',
    'The secret is the API secret that signs notifications, under Settings, API Keys.',
    'Set the signature algorithm of the product environment to SHA-256.',
  ],
  retries: 'unknown',
  traps: [
    'The signature is a plain hash. Without a change of the setting, it is SHA-1, and this provider refuses the delivery.',
    'A trigger with the authentication scheme `eddsa_v2` sends another signature, and this provider refuses it.',
  ],
}
