import { describeFailure } from './describe-failure.ts'
import type { InternalEvent } from './event.ts'
import type { ClaimedWork, Publisher, PublishResult, Queue, Route } from './ports.ts'
import { withTimeout } from './timeout.ts'
import type { AttemptBatch, AttemptResult } from './work-loop.ts'

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
 * Sends each event of a batch where its route leads.
 *
 * In a batch that goes both ways, bus and queue have times of their own, shorter than the batch's: when one of them fails
 * or hangs, what the other took is not sent again.
 */
export function publishBatch(
  { publisher, queue, redeliverAfterMs = 600_000 }: Destinations,
  timeoutMs: number,
): AttemptBatch {
  const direct: AttemptBatch = (works, signal) => publisher.publish(works.map(eventOf), signal)
  if (queue === undefined) return direct
  const queued: AttemptBatch = async (works, signal) => {
    const results = await queue.enqueue(works.map(eventOf), signal)
    return results.map((result): AttemptResult =>
      result.ok ? { ok: true, queued: { redeliverAfterMs } } : result,
    )
  }
  const both: AttemptBatch = async (works) => {
    const of = (route: Route) => works.filter((work) => work.route === route)
    const [published, enqueued] = await Promise.all([
      inTime(timeoutMs, of('direct'), direct),
      inTime(timeoutMs, of('queue'), queued),
    ])
    const answers = { direct: published.values(), queue: enqueued.values() }
    return works.map(({ route }) => answers[route].next().value ?? noAnswer)
  }
  return (works, signal) => {
    const routes = new Set(works.map(({ route }) => route))
    if (routes.size > 1) return both(works, signal)
    return routes.has('queue') ? queued(works, signal) : direct(works, signal)
  }
}

const eventOf = ({ event }: ClaimedWork): InternalEvent => event
const noAnswer: PublishResult = { ok: false, retryable: true, error: 'No answer for this event' }

async function inTime(
  timeoutMs: number,
  works: readonly ClaimedWork[],
  step: AttemptBatch,
): Promise<readonly AttemptResult[]> {
  try {
    return await withTimeout(timeoutMs, (signal) => step(works, signal))
  } catch (error) {
    const failure: PublishResult = { ok: false, retryable: true, error: describeFailure(error) }
    return works.map(() => failure)
  }
}
