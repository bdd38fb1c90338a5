import {
  unserializableTestTitle,
  createUnusualEvents,
  checkLargeBatch,
  checkUnserializableEvents,
  type TestRunner,
} from '@sallyport/webhooks/testing'
import { listEventIds } from '../records.ts'
import {
  ackAll,
  all,
  createQueueContext,
  events,
  forever,
  leaseMs,
  type QueueContext,
  type QueueFixture,
} from './context.ts'
import { testReceiveBytes, testRetries } from './retries.ts'

export type { QueueFixture, QueueFixtureOptions } from './context.ts'

/**
 * Defines the conformance tests of queues.
 *
 * @example
 * ```ts
 * import { memoryQueue } from '@sallyport/webhooks'
 * import { testQueue } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testQueue({ describe, expect, it }, { create: (options) => memoryQueue(options), keepsObjects: true })
 * ```
 */
export function testQueue(runner: TestRunner, fixture: QueueFixture): void {
  const context = createQueueContext(runner, fixture)
  const { test, expect } = context

  runner.describe('queue', () => {
    testQueuedValues(context)

    test('returns each event to one of many concurrent receivers', async ({ queue, reopen }) => {
      const other = await reopen()
      const ids = Array.from({ length: 60 }, (_, index) => `doorbell:${index}`)
      await queue.enqueue(events(...ids), forever)
      const asked = Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? queue : other).receive({ limit: 3, signal: forever }),
      )
      const received = [...(await Promise.all(asked)).flat(), ...(await all(queue)), ...(await all(other))]
      expect(listEventIds(received).sort()).toEqual(ids.sort())
      expect(await ackAll(received)).toEqual(ids.map(() => true))
    })

    testRetries(context)
    testWaits(context)
    testReceiveBytes(context)

    if (fixture.reopen) {
      test('keeps events and leases after a restart of the process', async ({ queue, pass, reopen }) => {
        await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
        await queue.receive({ limit: 1, signal: forever })
        const other = await reopen()
        expect(await other.enqueue(events('doorbell:b'), forever)).toEqual([{ ok: true, duplicate: true }])
        expect(listEventIds(await all(other))).toEqual(['doorbell:b'])
        await pass(leaseMs)
        expect(listEventIds(await all(other)).sort()).toEqual(['doorbell:a', 'doorbell:b'])
      })
    }
  })
}

function testQueuedValues({ test, expect, fixture }: QueueContext): void {
  test('returns events unchanged in their order', async ({ queue, now }) => {
    expect(await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)).toEqual([
      { ok: true, duplicate: false },
      { ok: true, duplicate: false },
    ])
    await queue.enqueue(events('doorbell:c'), forever)
    const received = await all(queue)
    expect(received.map(({ event }) => event)).toEqual(events('doorbell:a', 'doorbell:b', 'doorbell:c'))
    expect(received.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
    // An engine with another clock can differ by some milliseconds.
    if (fixture.pass === undefined) expect(received.map(({ since }) => since - now())).toEqual([0, 0, 0])
    expect(queue.leaseMs).toBe(leaseMs)
  })

  test('returns no results for an empty batch', async ({ queue }) => {
    expect(await queue.enqueue([], forever)).toEqual([])
    expect(await all(queue)).toEqual([])
  })

  test('preserves unusual texts, data, traces and the manual flag', async ({ queue }) => {
    const odd = createUnusualEvents()
    const results = await queue.enqueue(odd, forever)
    expect(results.filter((result) => !result.ok || result.duplicate === true)).toEqual([])
    expect(odd).toEqual(createUnusualEvents())
    expect((await all(queue)).map(({ event }) => event)).toEqual(createUnusualEvents())
  })

  test('returns every event of a large batch', async ({ queue }) => {
    const taken = await checkLargeBatch(expect, (some) => queue.enqueue(some, forever), fixture.keepsObjects)
    // On a machine with much else to do, a lease may end before it is acknowledged.
    const given = new Set<string>()
    for (let some = await all(queue); some.length > 0; some = await all(queue)) {
      for (const { event } of some) given.add(event.id)
      await ackAll(some)
    }
    expect([...given].sort()).toEqual(taken)
  })

  test('reports a queued id as a duplicate until it is acknowledged', async ({ queue }) => {
    const again = await queue.enqueue(events('doorbell:a', 'doorbell:a'), forever)
    expect(again.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
    const [held, ...others] = await all(queue)
    expect(others).toEqual([])
    expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: true }])
    expect(await held?.ack()).toBe(true)
    expect(await all(queue)).toEqual([])
    expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: false }])
    expect(listEventIds(await all(queue))).toEqual(['doorbell:a'])
  })

  test(unserializableTestTitle(fixture.keepsObjects), async ({ queue }) => {
    const taken = await checkUnserializableEvents(
      expect,
      (some) => queue.enqueue(some, forever),
      fixture.keepsObjects,
    )
    expect(listEventIds(await all(queue))).toEqual(taken)
  })

  test('enqueues nothing after the signal is aborted', async ({ queue }) => {
    const refused = await queue.enqueue(events('doorbell:a'), AbortSignal.abort()).then(
      (results) => results.every(({ ok }) => !ok),
      () => true,
    )
    expect(refused).toBe(true)
    expect(await all(queue)).toEqual([])
  })

  test('returns at most the limit', async ({ queue }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b', 'doorbell:c'), forever)
    expect(listEventIds(await queue.receive({ limit: 2, signal: forever }))).toEqual([
      'doorbell:a',
      'doorbell:b',
    ])
    expect(listEventIds(await queue.receive({ limit: 2, signal: forever }))).toEqual(['doorbell:c'])
  })
}

function testWaits({ test, expect }: QueueContext): void {
  test('waits for the first event at most waitMs', async ({ queue }) => {
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: forever })
    await queue.enqueue(events('doorbell:a'), forever)
    const received = await waiting
    expect(listEventIds(received)).toEqual(['doorbell:a'])
    expect(await queue.receive({ limit: 10, waitMs: 20, signal: forever })).toEqual([])
  })

  test('stops waiting when the signal is aborted', async ({ queue }) => {
    const stop = new AbortController()
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: stop.signal })
    stop.abort()
    expect(await waiting).toEqual([])
    await queue.enqueue(events('doorbell:a'), forever)
    expect(listEventIds(await all(queue))).toEqual(['doorbell:a'])
  })

  test('ends waits and rejects calls after close', async ({ queue }) => {
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: forever })
    await queue.close()
    expect(await waiting).toEqual([])
    const refused = (promise: Promise<unknown>) =>
      promise.then(
        () => false,
        () => true,
      )
    expect(await refused(queue.enqueue(events('doorbell:a'), forever))).toBe(true)
    expect(await refused(all(queue))).toBe(true)
  })
}
