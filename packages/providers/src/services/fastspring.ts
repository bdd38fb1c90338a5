import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** FastSpring: webhooks of a store. */
export const fastspring = defineService({
  name: 'fastspring',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-fs-signature' }),
  events: 'events.*',
  kind: 'type',
  id: 'id',
  subject: (event) => readSubject(event),
  time: 'created',
  answer: { status: 200 },
})

interface Event {
  readonly data?: Readonly<Record<'order' | 'subscription' | 'id', unknown>>
}

/** The entity is the data, or an object or an id in it. */
const readSubject = (event: unknown): unknown => {
  const { subscription, order, id } = (Object(event) as Event).data ?? {}
  return [subscription, order, id].find((value) => typeof value === 'string')
}

export const facts: ServiceFacts = {
  title: 'FastSpring',
  docs: 'https://developer.fastspring.com/docs/message-security',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.fastspring.com/docs/webhooks-overview',
    'https://developer.fastspring.com/reference/processed-and-unprocessed-webhook-events',
    'https://developer.fastspring.com/docs/message-security',
  ],
  identity: 'https://developer.fastspring.com/docs/webhooks-overview',
  setup: [
    'Open Developer Tools, Webhooks, Configuration, add a webhook and a URL endpoint with the address and the events.',
    'Enter a random text as HMAC SHA256 Secret. FastSpring signs nothing without it.',
  ],
  retries: 'up to 12 times within 7 days',
  traps: [
    'One delivery has several events, each with its own id.',
    'An automatic retry repeats the ids; a manual one has new ids, and its events are new.',
  ],
}
