import { defineService, ecdsa, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Twilio SendGrid: the Event Webhook with signatures. */
export const sendgrid = defineService({
  name: 'sendgrid',
  signature: ecdsa({
    header: 'x-twilio-email-event-webhook-signature',
    encoding: 'base64',
    timestamp: signedTime({ header: 'x-twilio-email-event-webhook-timestamp', toleranceSeconds: 86_400 }),
    content: ({ timestamp, body }) => [timestamp, body],
    keyEncoding: 'der',
  }),
  events: '*',
  kind: 'event',
  id: 'sg_event_id',
  subject: 'sg_message_id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'SendGrid',
  docs: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.sendgrid.com/for-developers/tracking-events/troubleshooting',
    'https://github.com/sendgrid/sendgrid-nodejs/blob/main/packages/eventwebhook/src/eventwebhook.js',
  ],
  identity: 'https://docs.sendgrid.com/for-developers/tracking-events/troubleshooting',
  setup: [
    'Open Settings, Mail Settings, Event Webhooks, and create a webhook with the address and Signed Event Webhook.',
    'The secret is the verification key that the page shows.',
  ],
  retries: 'with growing delays for up to 24 hours',
  traps: [
    'The body ends with a line break, which is signed: do not trim the body.',
    'Custom arguments are members of each event.',
  ],
}
