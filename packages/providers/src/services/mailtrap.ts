import { defineService, hmac, parseJson, type LargeIntegers, type ServiceFacts } from '@sallyport/webhooks'

/** Mailtrap: webhooks of email sending. */
export const mailtrap = defineService({
  name: 'mailtrap',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'mailtrap-signature' }),
  parse: (body, integers) => readEvents(body, integers),
  events: 'events.*',
  kind: 'event',
  subject: 'message_id',
  time: 'timestamp',
  bodyLimit: 5 * 1024 * 1024,
})

/** With the format JSON Lines, each line is an event. */
function readEvents(body: Uint8Array, integers?: LargeIntegers): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) {
    return parseJson(body, integers)
  }
  const events = lines.map((line) => parseJson(new TextEncoder().encode(line), integers))
  const [first] = events
  return Object.hasOwn(Object(first) as object, 'events') ? first : { events }
}

export const facts: ServiceFacts = {
  title: 'Mailtrap',
  docs: 'https://docs.mailtrap.io/email-api-smtp/advanced/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.mailtrap.io/email-api-smtp/advanced/webhooks',
    'https://help.mailtrap.io/article/102-webhooks',
  ],
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address and the events.',
    'The secret is the signing secret that Mailtrap shows after the creation.',
  ],
  retries: 'unknown',
  traps: ['One delivery has many events, in the format JSON or JSON Lines.'],
}
