import {
  defineService,
  hmac,
  jsonField,
  jsonSignature,
  signedTime,
  type ServiceFacts,
} from '@sallyport/webhooks'

/** Mailgun: events of messages. */
export const mailgun = defineService({
  name: 'mailgun',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: jsonSignature('signature.signature'),
    timestamp: signedTime({
      fromBody: (body) => jsonField(body, 'signature.timestamp'),
      toleranceSeconds: 8 * 3600,
    }),
    content: ({ body }) => [jsonField(body, 'signature.timestamp'), jsonField(body, 'signature.token')],
    covers: ['signature.timestamp', 'signature.token'],
  }),
  kind: ['event-data.event', 'event-data.severity'],
  id: 'signature.token',
  subject: 'event-data.message.headers.message-id',
  time: 'signature.timestamp',
  fresh: ['signature.timestamp'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Mailgun',
  docs: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  confidence: 'secondary',
  setup: [
    'Open Send, Sending, Webhooks, and add the address for the events.',
    'The secret is the HTTP webhook signing key in Settings, API security.',
  ],
  retries: 'after 10, 10, 15 and 30 minutes, 1, 2 and 4 hours; a status of 406 ends the attempts',
  covers: 'the time and the token, not the event',
  traps: ['A person who reads one delivery can send other events with its token for 8 hours.'],
}
