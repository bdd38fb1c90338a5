import { claimAll, deliveryOf, detailOf, eventOf, type InboxContext } from './inbox-context.ts'

/** Texts that a store may stumble over. */
export const oddTexts = [
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
    test('come back as they went in', async ({ inbox, now, expect }) => {
      const ids = [
        ...oddTexts.map((text) => `doorbell:${text}`),
        ...oddData.map((_, index) => `doorbell:${index}`),
      ]
      const sent = new Map<string, unknown>()
      for (const [index, id] of ids.entries()) {
        const text = oddTexts[index % oddTexts.length] ?? ''
        const data = oddData[index % oddData.length]
        const event = eventOf(id, now() + 0.25, { subject: text, name: `doorbell/${text}`, data })
        const delivery = deliveryOf(now(), { event })
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

    test('say whether a delivery was a manual test', async ({ inbox, now, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a', 'doorbell:b')
      const [first, second] = delivery.events
      if (!first || !second) throw new Error('Two events were asked for')
      const manual = { ...second.event, source: { ...second.event.source, manual: true as const } }
      await inbox.record({ ...delivery, events: [first, { ...second, event: manual }] })
      expect((await claimAll(inbox)).map(({ event }) => event.source)).toEqual([
        first.event.source,
        manual.source,
      ])
    })

    test('carry on the trace of their delivery, in whatever way they come back', async (context) => {
      const { inbox, now, expect } = context
      const traces = [
        { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
        { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', tracestate: 'a=b,c=d' },
      ]
      const events = traces.map((trace, index) => eventOf(`doorbell:${index}`, now(), { trace }))
      const delivery = deliveryOf(now(), 'doorbell:none', ...events.map((event) => ({ event })))
      await inbox.record(delivery)
      const expected = [undefined, ...traces]
      const { events: states } = await detailOf(inbox, delivery)
      expect(states.map(({ event }) => event.trace)).toEqual(expected)
      expect((await claimAll(inbox)).map(({ event }) => event.trace)).toEqual(expected)
    })
  })
}
