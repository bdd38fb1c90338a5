import type { MaybePromise, Queue, ReceivedEvent } from '../ports.ts'
import { eventOf, idsOf } from './inbox-context.ts'
import { testReceiveBytes } from './queue-receive-bytes.ts'
import type { TestRunner } from './runner.ts'
import { nameOfUnwritable, takeUnwritable } from './unwritable-events.ts'

export interface QueueFixture {
  /** An empty queue whose leases last so long, and that tells time by `now`, in milliseconds since the epoch. */
  create(options: QueueFixtureOptions): MaybePromise<Queue>
  /**
   * Another queue on the engine of the given one, which was not closed, as in another process; leave it out for a queue
   * that ends with its process.
   */
  reopen?(queue: Queue, options: QueueFixtureOptions): MaybePromise<Queue>
  /**
   * Lets time pass for an engine with a clock of its own.
   *
   * @default moves `now` on
   */
  pass?(milliseconds: number): Promise<void>
  /** Whether events stay objects, of which not all need be writable as JSON. @default false */
  readonly keepsObjects?: boolean
  /** Whether events that were asked for by bytes tell theirs, and come in portions of about so many. @default true */
  readonly knowsBytes?: boolean
}

export interface QueueFixtureOptions {
  readonly leaseMs: number
  readonly now: () => number
}

interface QueueTest {
  readonly queue: Queue
  readonly now: () => number
  readonly pass: (milliseconds: number) => MaybePromise<void>
  /** Closed with the test. */
  readonly reopen: () => Promise<Queue>
}

const leaseMs = 2000
const forever = new AbortController().signal
const events = (...ids: readonly string[]) => ids.map((id) => eventOf(id, Date.UTC(2026, 0)))
const all = (queue: Queue) => queue.receive({ limit: 1000, signal: forever })
const ackAll = (received: readonly ReceivedEvent[]) => Promise.all(received.map((one) => one.ack()))

/**
 * Defines the tests that every queue has to pass: what it has taken in is received until it is acknowledged, and by one
 * at a time.
 *
 * @example
 * ```ts
 * import { memoryQueue } from '@sallyport/webhooks'
 * import { testQueue } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testQueue({ describe, expect, it }, { create: (options) => memoryQueue(options), keepsObjects: true })
 * ```
 */
export function testQueue({ describe, it, expect }: TestRunner, fixture: QueueFixture): void {
  function test(name: string, body: (context: QueueTest) => Promise<void>): void {
    it(name, async () => {
      let time = Date.UTC(2026, 0)
      const options = { leaseMs, now: () => time }
      const opened: Queue[] = []
      const keep = async (opening: MaybePromise<Queue>) => {
        const queue = await opening
        opened.push(queue)
        return queue
      }
      try {
        const queue = await keep(fixture.create(options))
        await body({
          queue,
          now: options.now,
          pass: (milliseconds) => {
            time += milliseconds
            return fixture.pass?.(milliseconds)
          },
          reopen: () => keep(fixture.reopen ? fixture.reopen(queue, options) : queue),
        })
      } finally {
        for (const queue of opened.reverse()) await queue.close()
      }
    })
  }

  describe('queue', () => {
    test('gives what came in, in its order, whole', async ({ queue, now }) => {
      expect(await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)).toEqual([
        { ok: true, duplicate: false },
        { ok: true, duplicate: false },
      ])
      await queue.enqueue(events('doorbell:c'), forever)
      const received = await all(queue)
      expect(received.map(({ event }) => event)).toEqual(events('doorbell:a', 'doorbell:b', 'doorbell:c'))
      expect(received.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
      // Engines with a clock of their own are not far from this one.
      if (fixture.pass === undefined) expect(received.map(({ since }) => since - now())).toEqual([0, 0, 0])
      expect(queue.leaseMs).toBe(leaseMs)
    })

    test('answers nothing for nothing, and has nothing at first', async ({ queue }) => {
      expect(await queue.enqueue([], forever)).toEqual([])
      expect(await all(queue)).toEqual([])
    })

    test('keeps odd texts and data as they are', async ({ queue }) => {
      const odd = ['a\0b', '\ud800', 'x\udc00y', "'; --", '\\u0000', '\u{1f6aa}'].map((text) =>
        eventOf(`doorbell:${text}`, 1.5, { subject: text, data: { text, deep: [null, { '': -0.5 }] } }),
      )
      await queue.enqueue(odd, forever)
      expect((await all(queue)).map(({ event }) => event)).toEqual(odd)
    })

    test('has an id once while it is there, and takes it again later', async ({ queue }) => {
      const again = await queue.enqueue(events('doorbell:a', 'doorbell:a'), forever)
      expect(again.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
      const [held, ...others] = await all(queue)
      expect(others).toEqual([])
      expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: true }])
      expect(await held?.ack()).toBe(true)
      expect(await all(queue)).toEqual([])
      expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: false }])
      expect(idsOf(await all(queue))).toEqual(['doorbell:a'])
    })

    test(nameOfUnwritable(fixture.keepsObjects), async ({ queue }) => {
      const taken = await takeUnwritable(expect, (some) => queue.enqueue(some, forever), fixture.keepsObjects)
      expect(idsOf(await all(queue))).toEqual(taken)
    })

    test('takes nothing in once it was told to stop', async ({ queue }) => {
      const refused = await queue.enqueue(events('doorbell:a'), AbortSignal.abort()).then(
        (results) => results.every(({ ok }) => !ok),
        () => true,
      )
      expect(refused).toBe(true)
      expect(await all(queue)).toEqual([])
    })

    test('gives no more than it is asked for', async ({ queue }) => {
      await queue.enqueue(events('doorbell:a', 'doorbell:b', 'doorbell:c'), forever)
      expect(idsOf(await queue.receive({ limit: 2, signal: forever }))).toEqual(['doorbell:a', 'doorbell:b'])
      expect(idsOf(await queue.receive({ limit: 2, signal: forever }))).toEqual(['doorbell:c'])
    })

    test('gives to one at a time, however many ask', async ({ queue, reopen }) => {
      const other = await reopen()
      const ids = Array.from({ length: 60 }, (_, index) => `doorbell:${index}`)
      await queue.enqueue(events(...ids), forever)
      const asked = Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? queue : other).receive({ limit: 3, signal: forever }),
      )
      const received = [...(await Promise.all(asked)).flat(), ...(await all(queue)), ...(await all(other))]
      expect(idsOf(received).sort()).toEqual(ids.sort())
      expect(await ackAll(received)).toEqual(ids.map(() => true))
    })

    test('gives again what was not acknowledged in time, and only then', async ({ queue, pass, reopen }) => {
      const other = await reopen()
      await queue.enqueue(events('doorbell:a'), forever)
      const [first] = await all(queue)
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

    test('gives back what is to be tried again, when it is due', async ({ queue, pass }) => {
      await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
      const [a, b] = await all(queue)
      expect([await a?.retry(1000), await b?.retry(0)]).toEqual([true, true])
      const [again, ...others] = await all(queue)
      expect([again?.event.id, again?.attempts, others.length]).toEqual(['doorbell:b', 1, 0])
      await pass(1000)
      const [later] = await all(queue)
      expect([later?.event.id, later?.attempts]).toEqual(['doorbell:a', 1])
    })

    test('ends what was received once', async ({ queue, pass }) => {
      await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
      const [a, b] = await all(queue)
      expect([await a?.ack(), await a?.ack(), await a?.retry(0)]).toEqual([true, false, false])
      expect([await b?.retry(0), await b?.ack(), await b?.retry(0)]).toEqual([true, false, false])
      await pass(leaseMs)
      expect(idsOf(await all(queue))).toEqual(['doorbell:b'])
    })

    test('gives nothing back after a time that is none, and holds it on', async ({ queue, pass }) => {
      await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
      const [a, b] = await all(queue)
      for (const afterMs of [Number.NaN, Infinity]) {
        const refused = await a?.retry(afterMs).catch((error: unknown) => error)
        expect(refused instanceof TypeError).toBe(true)
      }
      expect(await all(queue)).toEqual([])
      expect([await a?.ack(), await b?.retry(0)]).toEqual([true, true])
      await pass(leaseMs)
      expect(idsOf(await all(queue))).toEqual(['doorbell:b'])
    })

    test('waits for a first event, for so long at most', async ({ queue }) => {
      const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: forever })
      await queue.enqueue(events('doorbell:a'), forever)
      const received = await waiting
      expect(idsOf(received)).toEqual(['doorbell:a'])
      expect(await queue.receive({ limit: 10, waitMs: 20, signal: forever })).toEqual([])
    })

    test('waits no longer when it is told to stop', async ({ queue }) => {
      const stop = new AbortController()
      const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: stop.signal })
      stop.abort()
      expect(await waiting).toEqual([])
      await queue.enqueue(events('doorbell:a'), forever)
      expect(idsOf(await all(queue))).toEqual(['doorbell:a'])
    })

    test('ends every wait when it is closed, and refuses everything then', async ({ queue }) => {
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

    testReceiveBytes({ describe, test, expect }, fixture)

    if (fixture.reopen) {
      test('is what it was after its process has gone', async ({ queue, pass, reopen }) => {
        await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
        await queue.receive({ limit: 1, signal: forever })
        const other = await reopen()
        expect(await other.enqueue(events('doorbell:b'), forever)).toEqual([{ ok: true, duplicate: true }])
        expect(idsOf(await all(other))).toEqual(['doorbell:b'])
        await pass(leaseMs)
        expect(idsOf(await all(other)).sort()).toEqual(['doorbell:a', 'doorbell:b'])
      })
    }
  })
}
