import type { DeliveryRecord, CompleteInbox } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, getDetail } from '../records.ts'
import type { InboxContext } from './context.ts'

/** Texts with control characters, surrogates and quotes. */
const oddTexts = [
  '',
  'a\0b',
  '\0',
  '\ud800',
  'x\udc00y',
  '\u{1f6aa}',
  "'; --",
  '\\u0000',
  '\\',
  'ÿ\u00ff\ufffd',
  '\ufeff',
]

const oddData: readonly unknown[] = [
  null,
  false,
  0,
  -1.5e-300,
  Number.MAX_SAFE_INTEGER,
  '',
  [],
  {},
  oddTexts,
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  Object.fromEntries(oddTexts.map((text) => [text, text])),
  'x'.repeat(1_000_000),
]

export function testValues({ describe, test }: InboxContext): void {
  describe('values', () => {
    test('are preserved', async ({ inbox, now, expect }) => {
      const ids = [
        ...oddTexts.map((text) => `doorbell:${text}`),
        ...oddData.map((_, index) => `doorbell:${index}`),
      ]
      const sent = new Map<string, unknown>()
      for (const [index, id] of ids.entries()) {
        const text = oddTexts[index % oddTexts.length] ?? ''
        const data = oddData[index % oddData.length]
        const event = createEvent(id, now() + 0.25, { subject: text, name: `doorbell/${text}`, data })
        const delivery = createDelivery(now(), { event })
        await inbox.record(delivery)
        sent.set(id, delivery.events[0]?.event)
      }
      const claimed = await claimAll(inbox)
      expect(claimed.length).toBe(ids.length)
      for (const { event } of claimed) {
        expect(event).toEqual(sent.get(event.id))
        expect(JSON.stringify(event.data)).toBe(
          JSON.stringify((sent.get(event.id) as { data: unknown }).data),
        )
      }
      await inbox.settle(
        'publish',
        claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome: { status: 'done' } as const })),
      )
      for (const text of oddTexts) {
        const found = await inbox.published({ name: `doorbell/${text}`, limit: 100 })
        expect(new Set(found.map(({ event }) => event.name))).toEqual(new Set([`doorbell/${text}`]))
      }
    })

    test('include the manual flag', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a', 'doorbell:b')
      const [first, second] = delivery.events
      if (!first || !second) throw new Error('Two events were asked for')
      const manual = { ...second.event, source: { ...second.event.source, manual: true as const } }
      await inbox.record({ ...delivery, events: [first, { ...second, event: manual }] })
      expect((await claimAll(inbox)).map(({ event }) => event.source)).toEqual([
        first.event.source,
        manual.source,
      ])
    })

    test('include the trace in every result', async (context) => {
      const { inbox, now, expect } = context
      const traces = [
        { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
        { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', tracestate: 'a=b,c=d' },
      ]
      const events = traces.map((trace, index) => createEvent(`doorbell:${index}`, now(), { trace }))
      const delivery = createDelivery(now(), 'doorbell:none', ...events.map((event) => ({ event })))
      await inbox.record(delivery)
      const expected = [undefined, ...traces]
      const { events: states } = await getDetail(inbox, delivery)
      expect(states.map(({ event }) => event.trace)).toEqual(expected)
      expect((await claimAll(inbox)).map(({ event }) => event.trace)).toEqual(expected)
    })
  })
}

export function testBodies({ describe, test }: InboxContext): void {
  describe('bodies and headers', () => {
    test('are preserved, and the body of the caller is not modified', async ({ inbox, now, expect }) => {
      const slab = Uint8Array.from({ length: 100 }, (_, index) => index)
      const headers = Object.fromEntries([
        ...oddTexts.map((text) => [`x-${text}`, text] as const),
        ['__proto__', 'x'] as const,
      ])
      const bodies = [
        new Uint8Array(),
        slab.subarray(10, 20),
        slab.subarray(0, 10),
        everyByte,
        marked(200_000),
      ]
      const kept = bodies.flatMap((body, index) => {
        const quarantine = { key: `doorbell:sha256:${index}`, reason: 'NORMALIZER_FAILED' }
        return [
          { ...createDelivery(now(), { event: createEvent(`doorbell:odd:${index}`, now()) }), headers, body },
          { ...createDelivery(now()), quarantine, headers, body },
        ]
      })
      for (const delivery of kept) {
        const sent = delivery.body.slice()
        await inbox.record(delivery)
        expect(equalBytes(delivery.body, sent) ? 'its owner’s' : 'taken away, or changed').toBe('its owner’s')
        expect(await findDifferences(inbox, delivery)).toEqual([])
      }
      // Later deliveries must not overwrite earlier ones.
      for (const delivery of kept) expect(await findDifferences(inbox, delivery)).toEqual([])
      expect(slab.length).toBe(100)
    })

    test('are preserved at the largest size', async ({ inbox, now, expect }) => {
      const large = { ...createDelivery(now(), 'doorbell:large'), body: marked(25 * 1024 * 1024) }
      const many = createDelivery(now(), ...Array.from({ length: 500 }, (_, index) => `doorbell:${index}`))
      const { byteLength } = large.body
      for (const delivery of [large, many]) await inbox.record(delivery)
      expect(large.body.byteLength).toBe(byteLength)
      for (const delivery of [large, many]) expect(await findDifferences(inbox, delivery)).toEqual([])
      expect((await claimAll(inbox)).length).toBe(501)
    })
  })
}

/** Bytes that are not valid text. */
const everyByte = Uint8Array.from({ length: 512 }, (_, index) => (index < 256 ? index : 511 - index))

/** Creates bytes that vary at every 1,000th position and compress fast. */
function marked(length: number): Uint8Array {
  const body = new Uint8Array(length).fill(1)
  for (let index = 0; index < length; index += 1000) body[index] = (index / 1000) & 255
  return body
}

/** Lists the differences between a stored delivery and its record. */
async function findDifferences(inbox: CompleteInbox, delivery: DeliveryRecord): Promise<readonly string[]> {
  const { body, bodyBytes, headers } = await getDetail(inbox, delivery)
  const names = new Set([...Object.keys(headers), ...Object.keys(delivery.headers)])
  const faults: [fault: string, found: boolean][] = [
    ['the body is another', body === undefined || !equalBytes(body, delivery.body)],
    ['the size of the body is another', bodyBytes !== delivery.body.byteLength],
    ['a header is another', [...names].some((name) => headers[name] !== delivery.headers[name])],
  ]
  return faults.flatMap(([fault, found]) => (found ? [fault] : []))
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  // A callback for each byte takes seconds for bodies of megabytes.
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
