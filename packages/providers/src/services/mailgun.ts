import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { mailgunSignature, parseMailgun, readSigned } from '../mailgun-form.ts'
import { readMailgunKind, readMailgunToken } from '../mailgun-event.ts'

/** Mailgun: events of messages, and incoming messages of routes. */
export const mailgun = defineService({
  name: 'mailgun',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: mailgunSignature,
    timestamp: signedTime({
      fromBody: (body) => readSigned(body, 'timestamp'),
      // An attempt can repeat the time of the first one.
      toleranceSeconds: 9 * 3600,
    }),
    content: ({ body }) => [readSigned(body, 'timestamp'), readSigned(body, 'token')],
    covers: ['signature.timestamp', 'signature.token'],
  }),
  parse: parseMailgun,
  kind: readMailgunKind,
  id: readMailgunToken,
  subject: ['event-data.message.headers.message-id', 'Message-Id'],
  time: ['signature.timestamp', 'timestamp'],
  fresh: ['signature.timestamp', 'timestamp'],
  bodyLimit: 30 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Mailgun',
  docs: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  checked: '2026-11',
  sources: [
    'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
    'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-retries',
    'https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http',
  ],
  identity: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  confidence: 'primary',
  setup: [
    'Open Send, Sending, Webhooks, and add the address for the events. For incoming messages, add a route with the action `forward` and the address.',
    'The secret is the HTTP webhook signing key in Settings, API security. The key of the primary account also verifies the events of its subaccounts.',
  ],
  retries:
    'events after 5, 10 and 15 minutes, 1, 2 and 4 hours, and messages of routes after 10, 15 and 30 minutes, 1, 2 and 4 hours; a status of 406 ends the attempts',
  covers: 'the time and the token, not the event',
  traps: [
    'A person who reads one delivery can send other events with its token for 9 hours.',
    'The documentation does not say whether an attempt repeats the token: if it does not, a second attempt is another event.',
    'An incoming message of a route has the kind `inbound`. A file of the message has its content in base64.',
  ],
}
