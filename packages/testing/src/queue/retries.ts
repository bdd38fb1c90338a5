import type { Queue } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { listEventIds } from '../records.ts'
import { all, events, forever, leaseMs, type QueueContext } from './context.ts'

const hourMs = 3_600_000

export function testRetries({ test, expect, fixture }: QueueContext): void {
  test('returns an event again only after its lease ends', async ({ queue, pass, reopen }) => {
    const other = await reopen()
    await queue.enqueue(events('doorbell:a', 'doorbell:in-an-hour'), forever)
    const [first, late] = await all(queue)
    // The event is not due before the end of the test.
    expect(await late?.retry(hourMs)).toBe(true)
    expect(await all(other)).toEqual([])
    await pass(leaseMs)
    const [second] = await all(other)
    expect([second?.event.id, second?.attempts]).toEqual(['doorbell:a', 1])
    expect(second?.since).toBe(first?.since)
    expect([await first?.ack(), await first?.retry(0)]).toEqual([false, false])
    expect(await all(queue)).toEqual([])
    expect(await second?.ack()).toBe(true)
    await pass(leaseMs)
    expect(await all(queue)).toEqual([])
  })

  test('returns a retried event when its delay has passed', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    expect([await a?.retry(1000), await b?.retry(0)]).toEqual([true, true])
    const [again, ...others] = await all(queue)
    expect([again?.event.id, again?.attempts, others.length]).toEqual(['doorbell:b', 1, 0])
    await pass(1000)
    const [later] = await all(queue)
    expect([later?.event.id, later?.attempts]).toEqual(['doorbell:a', 1])
  })

  test('counts attempts and keeps the time of arrival', async (context) => {
    const { queue, now, pass, reopen } = context
    const queues = [queue, await reopen()]
    const enqueuedAt = now()
    await queue.enqueue(events('doorbell:a'), forever)
    // The time of receipt then differs from the time of the enqueue.
    await pass(1)
    let since: number | undefined
    for (const attempts of [0, 1, 2, 3]) {
      const by = queues[attempts % 2] ?? queue
      const [held] = await by.receive({ limit: 10, waitMs: 60_000, signal: forever })
      since ??= held?.since
      expect([held?.attempts, held?.since]).toEqual([attempts, since])
      expect(await held?.retry(0)).toBe(true)
    }
    // An engine with another clock can differ by some milliseconds.
    if (fixture.pass === undefined) expect(since).toBe(enqueuedAt)
  })

  if (fixture.pass === undefined) {
    test('does not return a retried event before a long delay ends', async ({ queue, pass }) => {
      await queue.enqueue(events('doorbell:a'), forever)
      const [first] = await all(queue)
      await first?.retry(hourMs)
      await pass(hourMs - 1)
      expect(await all(queue)).toEqual([])
      await pass(1)
      expect(listEventIds(await all(queue))).toEqual(['doorbell:a'])
    })
  }

  test('accepts only the first ack or retry of a received event', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    expect([await a?.ack(), await a?.ack(), await a?.retry(0)]).toEqual([true, false, false])
    expect([await b?.retry(0), await b?.ack(), await b?.retry(0)]).toEqual([true, false, false])
    await pass(leaseMs)
    expect(listEventIds(await all(queue))).toEqual(['doorbell:b'])
  })

  test('rejects an invalid retry delay and keeps the lease', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    for (const afterMs of [Number.NaN, Infinity]) {
      const refused = await a?.retry(afterMs).catch((error: unknown) => error)
      expect(refused instanceof TypeError).toBe(true)
    }
    expect(await all(queue)).toEqual([])
    expect([await a?.ack(), await b?.retry(0)]).toEqual([true, true])
    await pass(leaseMs)
    expect(listEventIds(await all(queue))).toEqual(['doorbell:b'])
  })
}

const { signal } = new AbortController()
const sized = (id: string, bytes: number) =>
  createEvent(id, Date.UTC(2026, 0), { data: { text: 'x'.repeat(bytes) } })

/** Receives portions of at most `maxBytes` until the queue is empty. */
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

  describe('receive with maxBytes', () => {
    test('returns events larger than maxBytes', async ({ queue }) => {
      const ids = ['doorbell:large', 'doorbell:b', 'doorbell:larger']
      for (const id of ids) await queue.enqueue([sized(id, id.length * 4000)], signal)
      const received = (await receiveAll(queue, 1000)).flat()
      expect(listEventIds(received)).toEqual(ids)
      expect(received.map(({ attempts }) => attempts)).toEqual(ids.map(() => 0))
    })

    test('returns at most the limit and waits for events', async ({ queue }) => {
      const asked = { limit: 2, maxBytes: 1_000_000, signal }
      const waiting = queue.receive({ ...asked, waitMs: 60_000 })
      await queue.enqueue(
        ['doorbell:a', 'doorbell:b', 'doorbell:c'].map((id) => sized(id, 10)),
        signal,
      )
      const received = await waiting
      expect(received.length <= 2).toBe(true)
      if (knowsBytes) for (const { bytes = 0 } of received) expect(bytes > 0).toBe(true)
      expect(
        listEventIds([...received, ...(await queue.receive(asked)), ...(await queue.receive(asked))]),
      ).toEqual(['doorbell:a', 'doorbell:b', 'doorbell:c'])
    })
  })
}

function testPortions({ describe, test, expect }: QueueContext): void {
  describe('receive with maxBytes and known sizes', () => {
    test('returns events up to about maxBytes of data', async ({ queue }) => {
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
      expect(listEventIds(received)).toEqual(ids)
      // Events over the limit were not received and have no attempt.
      expect(received.map(({ attempts }) => attempts)).toEqual(ids.map(() => 0))
      for (const { bytes = 0 } of received) expect(bytes >= 10_000 && bytes < 15_000).toBe(true)
    })

    test('returns an event larger than maxBytes alone', async ({ queue }) => {
      for (const [id, bytes] of [
        ['doorbell:large', 50_000],
        ['doorbell:b', 100],
        ['doorbell:larger', 60_000],
      ] as const) {
        await queue.enqueue([sized(id, bytes)], signal)
      }
      const portions = await receiveAll(queue, 1000)
      expect(listEventIds(portions[0] ?? [])).toEqual(['doorbell:large'])
      expect(listEventIds(portions.flat())).toEqual(['doorbell:large', 'doorbell:b', 'doorbell:larger'])
    })
  })
}
