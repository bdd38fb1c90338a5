import type { DeliveryRecord, Inbox } from '../ports/ports.ts'
import { claimAll, deliveryOf, detailOf, eventOf, type InboxContext } from './inbox-context.ts'
import { oddTexts } from './inbox-values.ts'
import { equalBytes } from './mutations.ts'

export function testBodies({ describe, test }: InboxContext): void {
  describe('bodies and headers', () => {
    test('come back as they went in, and stay their owner’s', async ({ inbox, now, expect }) => {
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
          { ...deliveryOf(now(), { event: eventOf(`doorbell:odd:${index}`, now()) }), headers, body },
          { ...deliveryOf(now()), quarantine, headers, body },
        ]
      })
      for (const delivery of kept) {
        const sent = delivery.body.slice()
        await inbox.record(delivery)
        expect(equalBytes(delivery.body, sent) ? 'its owner’s' : 'taken away, or changed').toBe('its owner’s')
        expect(await faultsOf(inbox, delivery)).toEqual([])
      }
      // Also once others have come behind them.
      for (const delivery of kept) expect(await faultsOf(inbox, delivery)).toEqual([])
      expect(slab.length).toBe(100)
    })

    test('may be as large as a delivery can be', async ({ inbox, now, expect }) => {
      const large = { ...deliveryOf(now(), 'doorbell:large'), body: marked(25 * 1024 * 1024) }
      const many = deliveryOf(now(), ...Array.from({ length: 500 }, (_, index) => `doorbell:${index}`))
      const { byteLength } = large.body
      for (const delivery of [large, many]) await inbox.record(delivery)
      expect(large.body.byteLength).toBe(byteLength)
      for (const delivery of [large, many]) expect(await faultsOf(inbox, delivery)).toEqual([])
      expect((await claimAll(inbox)).length).toBe(501)
    })
  })
}

/** Most of it is no text in any encoding. */
const everyByte = Uint8Array.from({ length: 512 }, (_, index) => (index < 256 ? index : 511 - index))

/** Bytes of which every 1,000th is another: quickly made, and quickly compressed. */
function marked(length: number): Uint8Array {
  const body = new Uint8Array(length).fill(1)
  for (let index = 0; index < length; index += 1000) body[index] = (index / 1000) & 255
  return body
}

/** What an inbox says otherwise of a delivery than it was told. */
async function faultsOf(inbox: Inbox, delivery: DeliveryRecord): Promise<readonly string[]> {
  const { body, bodyBytes, headers } = await detailOf(inbox, delivery)
  const names = new Set([...Object.keys(headers), ...Object.keys(delivery.headers)])
  const faults: [fault: string, found: boolean][] = [
    ['the body is another', body === undefined || !equalBytes(body, delivery.body)],
    ['the size of the body is another', bodyBytes !== delivery.body.byteLength],
    ['a header is another', [...names].some((name) => headers[name] !== delivery.headers[name])],
  ]
  return faults.flatMap(([fault, found]) => (found ? [fault] : []))
}
