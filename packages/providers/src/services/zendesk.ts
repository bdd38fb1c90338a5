import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Zendesk: webhooks of an account. */
export const zendesk = defineService({
  name: 'zendesk',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-zendesk-webhook-signature',
    timestamp: signedTime({
      header: 'x-zendesk-webhook-signature-timestamp',
      unit: 'rfc3339',
      toleranceSeconds: 300,
    }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'type',
  id: 'id',
  subject: 'subject',
  time: 'time',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Zendesk',
  docs: 'https://developer.zendesk.com/documentation/webhooks/',
  confidence: 'secondary',
  setup: [
    'Open Admin Center, Apps and integrations, Webhooks, and create a webhook with the address and Zendesk events.',
    'The secret is the signing secret of the webhook.',
  ],
  traps: [
    'Webhooks of triggers and automations have a body that an administrator writes: they need a member `type`.',
  ],
}
