import type { Queue } from '../ports/ports.ts'
import { eventOf, idsOf } from './inbox-context.ts'
import type { QueueContext } from './queue-context.ts'

const { signal } = new AbortController()
const sized = (id: string, bytes: number) =>
  eventOf(id, Date.UTC(2026, 0), { data: { text: 'x'.repeat(bytes) } })

/** What a queue gives to a receiver with so much room, until it has nothing left. */
async function receiveAll(queue: Queue, maxBytes: number) {
  const portions = []
  for (;;) {
    const received = await queue.receive({ limit: 100, maxBytes, signal })
    if (received.length === 0) return portions
    portions.push(received)
  }
}

export function testReceiveBytes(context: QueueContext): void {
  const { describe, test, expect } = context
  const { knowsBytes = true } = context.fixture
  if (knowsBytes) testPortions(context)

  describe('asked for so many bytes, known or not', () => {
    test('gives everything, however large it is', async ({ queue }) => {
      const ids = ['doorbell:large', 'doorbell:b', 'doorbell:larger']
      for (const id of ids) await queue.enqueue([sized(id, id.length * 4000)], signal)
      const received = (await receiveAll(queue, 1000)).flat()
      expect(idsOf(received)).toEqual(ids)
      expect(received.map(({ attempts }) => attempts)).toEqual(ids.map(() => 0))
    })

    test('gives no more than its limit, and waits as ever', async ({ queue }) => {
      const asked = { limit: 2, maxBytes: 1_000_000, signal }
      const waiting = queue.receive({ ...asked, waitMs: 60_000 })
      await queue.enqueue(
        ['doorbell:a', 'doorbell:b', 'doorbell:c'].map((id) => sized(id, 10)),
        signal,
      )
      const received = await waiting
      expect(received.length <= 2).toBe(true)
      if (knowsBytes) for (const { bytes = 0 } of received) expect(bytes > 0).toBe(true)
      expect(idsOf([...received, ...(await queue.receive(asked)), ...(await queue.receive(asked))])).toEqual([
        'doorbell:a',
        'doorbell:b',
        'doorbell:c',
      ])
    })
  })
}

function testPortions({ describe, test, expect }: QueueContext): void {
  describe('asked for so many bytes', () => {
    test('gives as many events as have about so much data, and the rest later', async ({ queue }) => {
      const ids = Array.from({ length: 7 }, (_, index) => `doorbell:${index}`)
      for (const id of ids) await queue.enqueue([sized(id, 10_000)], signal)
      const portions = await receiveAll(queue, 35_000)
      for (const portion of portions) {
        // One may be over: not every engine knows the size of a message before it has handed it out.
        const all = portion.slice(0, -1).reduce((sum, { bytes = Infinity }) => sum + bytes, 0)
        expect(all <= 35_000).toBe(true)
      }
      expect((portions[0]?.length ?? 0) > 1).toBe(true)
      const received = portions.flat()
      expect(idsOf(received)).toEqual(ids)
      // What did not fit was not received, and has not been tried.
      expect(received.map(({ attempts }) => attempts)).toEqual(ids.map(() => 0))
      for (const { bytes = 0 } of received) expect(bytes >= 10_000 && bytes < 15_000).toBe(true)
    })

    test('gives one that is larger all the same', async ({ queue }) => {
      for (const [id, bytes] of [
        ['doorbell:large', 50_000],
        ['doorbell:b', 100],
        ['doorbell:larger', 60_000],
      ] as const) {
        await queue.enqueue([sized(id, bytes)], signal)
      }
      const portions = await receiveAll(queue, 1000)
      expect(idsOf(portions[0] ?? [])).toEqual(['doorbell:large'])
      expect(idsOf(portions.flat())).toEqual(['doorbell:large', 'doorbell:b', 'doorbell:larger'])
    })
  })
}
