import type { MaybePromise, Queue, ReceivedEvent } from '@sallyport/webhooks'
import { createEvent, type TestRunner } from '@sallyport/webhooks/testing'

export interface QueueFixture {
  /** Creates an empty queue with the given lease and clock, both in milliseconds. */
  create(options: QueueFixtureOptions): MaybePromise<Queue>
  /**
   * Another queue on the engine of the given one, which was not closed, as in another process; leave it out for a queue
   * that ends with its process.
   */
  reopen?(queue: Queue, options: QueueFixtureOptions): MaybePromise<Queue>
  /**
   * Lets time pass for an engine that does not use `now`.
   *
   * @default advances `now`
   */
  pass?(milliseconds: number): Promise<void>
  /** Whether events stay objects and are not serialized as JSON. @default false */
  readonly keepsObjects?: boolean
  /** Whether the queue knows the sizes of events and honors `maxBytes`. @default true */
  readonly knowsBytes?: boolean
}

export interface QueueFixtureOptions {
  readonly leaseMs: number
  readonly now: () => number
}

/** The fixtures of one test: an empty queue and its clock. */
interface QueueTest {
  readonly queue: Queue
  readonly now: () => number
  readonly pass: (milliseconds: number) => MaybePromise<void>
  /** The suite closes the result after the test. */
  readonly reopen: () => Promise<Queue>
}

export interface QueueContext extends Pick<TestRunner, 'describe' | 'expect'> {
  readonly test: (name: string, body: (context: QueueTest) => Promise<void>) => void
  readonly fixture: QueueFixture
}

export const leaseMs = 2000
export const forever: AbortSignal = new AbortController().signal
export const events = (...ids: readonly string[]) => ids.map((id) => createEvent(id, Date.UTC(2026, 0)))
export const all = (queue: Queue) => queue.receive({ limit: 1000, signal: forever })
export const ackAll = (received: readonly ReceivedEvent[]) => Promise.all(received.map((one) => one.ack()))

export function createQueueContext(
  { describe, it, expect }: TestRunner,
  fixture: QueueFixture,
): QueueContext {
  const test: QueueContext['test'] = (name, body) => {
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
  return { describe, test, expect, fixture }
}
