import { integerOption } from '@sallyport/internal/options'
import type { AttemptBatch } from './attempt.ts'
import { mapAnswers, queued } from './outcome.ts'
import type { Publisher, Queue } from '../ports/ports.ts'

/** Where events go. */
export interface Destinations {
  /** The bus. */
  readonly publisher: Publisher
  /**
   * Where events go whose route is the shared queue; a drainer brings them to the bus. Without one, they go to the bus
   * at once.
   */
  readonly queue?: Queue
  /**
   * How long the queue is trusted with an event, in milliseconds. When it has not arrived by then, it is enqueued again,
   * which changes nothing while the queue still has it.
   *
   * @default 600,000 (10 minutes)
   */
  readonly redeliverAfterMs?: number
}

/**
 * Sends a batch where its route leads; with a queue, all of it goes one way.
 *
 * @throws TypeError when the time that the queue is trusted for is none
 */
export function publishBatch({ publisher, queue, redeliverAfterMs = 600_000 }: Destinations): AttemptBatch {
  integerOption('redeliverAfterMs', redeliverAfterMs, 1)
  return async (works, signal) => {
    const events = works.map(({ event }) => event)
    if (queue === undefined || works[0]?.route !== 'queue') return publisher.publish(events, signal)
    return mapAnswers(await queue.enqueue(events, signal), (result) =>
      result.ok ? { ok: true, [queued]: { redeliverAfterMs } } : result,
    )
  }
}
