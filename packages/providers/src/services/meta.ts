import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { metaHandshake } from '@sallyport/webhooks/handshakes'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

/** Meta: WhatsApp, Messenger, Instagram and Facebook webhooks of an app. */
export const meta = defineService({
  name: 'meta',
  signature: withVerifyTokens(
    hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' }),
  ),
  events: ['entry.*.changes.*', 'entry.*.messaging.*', 'entry.*.standby.*'],
  kind: ['/object', (event) => readKind(event)],
  id: ['../id', (event) => readId(event)],
  subject: ['../id', 'value.metadata.phone_number_id', 'sender.id'],
  time: '../time',
  handshake: createVerifyTokenHandshake((verifyToken) => metaHandshake({ verifyToken })),
  bodyLimit: 3 * 1024 * 1024,
})

interface Change {
  readonly field?: string
  readonly value?: Readonly<Record<string, unknown>>
  readonly message?: { readonly mid?: string }
  readonly [name: string]: unknown
}

const envelope = new Set(['sender', 'recipient', 'timestamp', 'hop_context'])

function readKind(event: unknown): string | undefined {
  const change = Object(event) as Change
  return change.field ?? Object.keys(change).find((name) => !envelope.has(name))
}

/** WhatsApp and Messenger have ids of messages; other changes are identified by their content. */
const readId = (event: unknown): string => (Object(event) as Change).message?.mid ?? JSON.stringify(event)

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Meta (WhatsApp, Messenger, Instagram)',
  docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
  confidence: 'primary',
  setup: [
    'Open the app, Webhooks, and subscribe an object with the address and a verify token: a long random text.',
    'The secrets are the app secret and, as a second secret, `verify:` and the verify token.',
  ],
  retries: 'at once and then with growing delays, for up to 36 hours; WhatsApp for up to 7 days',
  traps: [
    'One delivery can have up to 1000 changes: each is an event.',
    'The verify token is in the URL of the handshake and in the logs of proxies: it does not verify deliveries.',
  ],
}
