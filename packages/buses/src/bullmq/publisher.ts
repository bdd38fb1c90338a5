import { untilAborted } from '@sallyport/internal/deadline'
import { checkFunctions, checkIntegers } from '@sallyport/internal/options'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { defaultEventBytes, toJson } from '../jobs/to-json.ts'

/** The part of a `Queue` of BullMQ that the publisher uses. */
interface BullmqQueue {
  addBulk(
    jobs: {
      readonly name: string
      readonly data: WebhookEvent
      readonly opts: { readonly jobId: string }
    }[],
  ): Promise<unknown>
}

export interface BullmqPublisherOptions {
  /** The queue. Its `defaultJobOptions` apply to the jobs. The publisher does not close it. */
  readonly queue: BullmqQueue
  /**
   * Maximum size of an event as JSON, in bytes. A larger event is published with a reference to its data, if the dispatcher
   * has `dataref`, and otherwise becomes a dead letter.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly eventBytes?: number
}

/**
 * Creates a publisher that adds each event to a queue of BullMQ as a job. The name of the job is that of the event, its data
 * is the event, and its id is {@link toBullmqJobId} of the event's id.
 *
 * BullMQ adds no second job with an id while it keeps the first one, so keep completed and failed jobs for longer than the
 * longest delay between two attempts (an hour): `removeOnComplete: { age: 86_400 }`. The answer of BullMQ does not reveal
 * duplicates, so no result is marked as one.
 *
 * The jobs of a batch are added together or not at all. Rejections of BullMQ reject the batch.
 *
 * @throws TypeError if the queue is missing, or if `eventBytes` is out of range
 *
 * @example
 * ```ts
 * import { createBullmqPublisher } from '@sallyport/buses/bullmq'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 * import { Queue } from 'bullmq'
 *
 * const queue = new Queue('events', { connection: { url: 'redis://127.0.0.1:6379' } })
 * const publisher = createBullmqPublisher({ queue })
 * export const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 *
 * @see https://docs.bullmq.io/guide/jobs/job-ids
 */
export function createBullmqPublisher({
  queue,
  eventBytes = defaultEventBytes,
}: BullmqPublisherOptions): Publisher {
  checkFunctions('queue', queue, 'addBulk')
  checkIntegers({ eventBytes }, 1)
  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      const results = events.map((event): PublishResult => {
        const json = toJson(event, eventBytes)
        return typeof json === 'string' ? { ok: true } : json
      })
      const jobs = events
        .filter((_, index) => results[index]?.ok === true)
        .map((event) => ({ name: event.name, data: event, opts: { jobId: toBullmqJobId(event.id) } }))
      if (jobs.length > 0) await untilAborted(queue.addBulk(jobs), signal)
      return results
    },
  }
}

/**
 * Returns the id of the job of an event: the id of the event with percent-encoding, because BullMQ allows no `:`. The id
 * `github:push:1` becomes `github%3Apush%3A1`.
 */
export function toBullmqJobId(eventId: string): string {
  // JSON escapes lone surrogates, which have no percent-encoding.
  return encodeURIComponent(JSON.stringify(eventId).slice(1, -1))
}
