import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import { expect, test } from 'vitest'
import paddleSamples from '../services/paddle.samples.json' with { type: 'json' }
import { paddle } from '../services/paddle.ts'
import paypalSamples from '../services/paypal.samples.json' with { type: 'json' }
import { paypal } from '../services/paypal.ts'
import stripeSamples from '../services/stripe.samples.json' with { type: 'json' }
import { stripe } from '../services/stripe.ts'
import { reconcilePaddle, reconcilePaypal, reconcileStripe } from './index.ts'

const until = Date.UTC(2026, 6, 1)
const time = '2026-07-01T00:00:00Z'

/** JSON whose numbers change when a number of JavaScript holds them. */
const numbers = '"numbers":[9223372036854775807,-9007199254740993,1.0,1e2,0.1]'
const toText = (body: object) => JSON.stringify(body).replace(/\}$/, `,${numbers}}`)

/** The name of a service, its samples, its source, and a page of its list. */
const feeds = [
  [
    stripe,
    // A thin event has another API.
    stripeSamples.flatMap(({ body }) => (typeof body.created === 'number' ? [body] : [])),
    reconcileStripe,
    (event: string) => `{"data":[${event}],"has_more":false}`,
  ],
  [
    paddle,
    paddleSamples.map(({ body }) => body),
    reconcilePaddle,
    (event: string) =>
      `{"data":[{"id":"ntf_1","occurred_at":"${time}","payload":${event}}],"meta":{"pagination":{"has_more":false}}}`,
  ],
  [
    paypal,
    paypalSamples.map(({ body }) => body),
    reconcilePaypal,
    (event: string) => `{"events":[${event}],"links":[]}`,
  ],
] as const

async function read(source: FeedSource): Promise<Uint8Array> {
  const signal = new AbortController().signal
  const checked = () => Promise.resolve()
  for await (const { body } of source.list({ since: until - 3_600_000, until, signal, checked })) return body
  throw new Error('The list is empty')
}

const cases = feeds.flatMap(([service, bodies, open, toPage]) =>
  bodies.flatMap((body) =>
    (['pushed', 'read'] as const).map((first) => {
      const text = toText(body)
      const fetch = () => Promise.resolve(new Response(toPage(text)))
      const source: FeedSource = open({ token: () => 'token', fetch })
      return { name: service.name, service, text, source, first }
    }),
  ),
)

test.each(cases)('A copy from $name that is $first first is the same event', async (sample) => {
  const { service, text, source, first } = sample
  const events: unknown[] = []
  const webhooks = createWebhooks({
    ...{ database: createMemoryDatabase(), providers: [service], secrets: { [service.name]: 'secret' } },
    on: {},
    gateway: { allowUnsigned: ['paypal'] },
  })
  const pushed = new TextEncoder().encode(text)
  const copies = [pushed, await read(source)]
  if (first === 'read') copies.reverse()
  for (const [index, body] of copies.entries()) {
    const { outcome } = await webhooks.gateway.reprocess({
      ...{ id: `id-${index}`, provider: service.name, isVerified: true, body, receivedAt: until },
      headers: new Headers({ 'content-type': 'application/json' }),
    })
    events.push(outcome)
  }
  expect(events).toEqual(['accepted', 'duplicate'])
  const stored = JSON.stringify(await webhooks.operations.inbox.get?.('id-0'))
  expect(stored).toContain('"numbers":["9223372036854775807","-9007199254740993",1,100,0.1]')
})
