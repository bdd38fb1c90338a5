import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { metaHandshake } from '@sallyport/webhooks/handshakes'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

/** Meta: WhatsApp, Messenger, Instagram and Facebook webhooks of an app. */
export const meta = defineService({
  name: 'meta',
  createsSecret: true,
  signature: withVerifyTokens(
    hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' }),
  ),
  events: ['entry.*.changes.*', 'entry.*.messaging.*', 'entry.*.standby.*'],
  kind: ['/object', (event) => readKind(event)],
  // A change without a time of its own and of its entry can repeat: a message template is paused, approved and paused again.
  distinct: (event) => !/"time(?:stamp)?":/.test(JSON.stringify(event)),
  deliveryId: '../time',
  subject: ['../id', 'value.metadata.phone_number_id', 'sender.id'],
  time: ['timestamp', 'value.messages.0.timestamp', 'value.statuses.0.timestamp', '../time'],
  handshake: createVerifyTokenHandshake((verifyToken) => metaHandshake({ verifyToken })),
  bodyLimit: 3 * 1024 * 1024,
})

interface Change {
  readonly field?: string
  readonly entry?: readonly { readonly changed_fields?: unknown }[]
  readonly [name: string]: unknown
}

/** The members of a message that do not name its event. */
const envelope = new Set(['entry', 'sender', 'recipient', 'hop_context', 'prior_message'])

/** An app without the values of changes receives the names of their fields alone, in one event. */
function readKind(event: unknown): string | undefined {
  const change = Object(event) as Change
  if (change.entry?.[0]?.changed_fields) return 'changed_fields'
  return (
    change.field ??
    Object.keys(change).find((name) => typeof change[name] === 'object' && !envelope.has(name))
  )
}

export const facts: ServiceFacts = {
  title: 'Meta (WhatsApp, Messenger, Instagram)',
  docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
    'https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks/webhook-events',
    'https://github.com/WhatsApp/WhatsApp-Nodejs-SDK/blob/main/src/api/webhooks.ts',
  ],
  setup: [
    'Open the app, Webhooks, and subscribe an object with the address and a verify token: a long random text.',
    'The secrets are the app secret and, as a second secret, `verify:` and the verify token.',
  ],
  retries: 'at once and then with growing delays, for up to 36 hours; WhatsApp for up to 7 days',
  traps: [
    'One delivery can have up to 1000 changes: each is an event.',
    'A message that a customer unsends has the `mid` of the message, with `is_deleted`.',
    'An app that does not include values receives a body with `changed_fields`: it is one event, such as `user.changed_fields`.',
    'The verify token is in the URL of the handshake and in the logs of proxies: it does not verify deliveries.',
  ],
}
