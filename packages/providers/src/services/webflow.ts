import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Webflow: webhooks of a site. */
export const webflow = defineService({
  name: 'webflow',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-webflow-signature',
    timestamp: signedTime({ header: 'x-webflow-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
  }),
  kind: 'triggerType',
  subject: ['payload.siteId', 'payload.site', 'payload.id'],
  time: 'payload.submittedAt',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Webflow',
  docs: 'https://developers.webflow.com/data/docs/working-with-webhooks',
  confidence: 'primary',
  setup: [
    'Open the site settings, Apps & integrations, Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook; for webhooks of an OAuth app, its client secret.',
  ],
  retries: 'three times, every 10 minutes',
}
