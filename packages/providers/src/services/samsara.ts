import { base64Secret, defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Samsara: webhooks of an organization. */
export const samsara = defineService({
  name: 'samsara',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-samsara-signature',
    prefix: 'v1=',
    timestamp: signedTime({ header: 'x-samsara-timestamp' }),
    content: ({ timestamp, body }) => ['v1:', timestamp, ':', body],
    key: base64Secret(),
  }),
  kind: 'eventType',
  id: 'eventId',
  subject: ['orgId', 'data.vehicle.id', 'data.driver.id', 'data.address.id'],
  time: 'eventTime',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Samsara',
  docs: 'https://developers.samsara.com/docs/webhooks',
  confidence: 'secondary',
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'The secret is the secret key of the webhook, in base64.',
  ],
  retries: 'up to five attempts',
}
