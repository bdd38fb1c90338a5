import { hash } from 'node:crypto'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkFunctions, checkIntegers } from '@sallyport/internal/options'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { defaultEventBytes, toJson } from '../jobs/to-json.ts'

/** The part of a `PgBoss` that the publisher uses. */
interface PgBossClient {
  insert(
    queue: string,
    jobs: { id: string; data: WebhookEvent }[],
    options: { returnId: true },
  ): Promise<readonly string[] | null>
  getJobById(queue: string, id: string): Promise<object | null>
}

export interface PgBossPublisherOptions {
  /** The started client. The publisher does not stop it. */
  readonly boss: PgBossClient
  /** The name of a queue that exists; its settings apply to the jobs. */
  readonly queue: string
  /**
   * Maximum size of an event as JSON, in bytes. A larger event is published with a reference to its data, if the dispatcher
   * has `dataref`, and otherwise becomes a dead letter.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly eventBytes?: number
}

/**
 * Creates a publisher that inserts each event into a queue of pg-boss as a job. The data of the job is the event, and its id is
 * {@link toPgBossJobId} of the event's id.
 *
 * pg-boss inserts no second job with an id while it keeps the first one, by default for 7 days after its end. Keep jobs for
 * longer than the longest delay between two attempts (an hour).
 *
 * An event that the policy of the queue does not admit is retried. An event with NUL or a lone surrogate, which `jsonb` cannot
 * store, is published with a reference to its data, as an event that is too large. The jobs of a batch are inserted together or
 * not at all. Rejections of pg-boss reject the batch.
 *
 * @throws TypeError if the client or the queue is missing, or if `eventBytes` is out of range
 *
 * @example
 * ```ts
 * import { createPgBossPublisher } from '@sallyport/buses/pg-boss'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 * import { PgBoss } from 'pg-boss'
 *
 * const boss = new PgBoss('postgres://postgres@127.0.0.1:5432/app')
 * await boss.start()
 * await boss.createQueue('events')
 * const publisher = createPgBossPublisher({ boss, queue: 'events' })
 * export const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 */
export function createPgBossPublisher(options: PgBossPublisherOptions): Publisher {
  const { boss, queue, eventBytes = defaultEventBytes } = options
  checkFunctions('boss', boss, 'insert', 'getJobById')
  if (typeof queue !== 'string' || queue === '')
    throw new TypeError('pg-boss needs the name of a queue: set the option queue')
  checkIntegers({ eventBytes }, 1)

  async function describeMissing(id: string): Promise<PublishResult> {
    return (await boss.getJobById(queue, id)) === null ? notAdmitted : { ok: true, duplicate: true }
  }

  async function insert(
    jobs: ReadonlyMap<string, WebhookEvent>,
  ): Promise<ReadonlyMap<string, PublishResult>> {
    const rows = Array.from(jobs, ([id, data]) => ({ id, data }))
    const inserted = new Set(rows.length > 0 ? await boss.insert(queue, rows, { returnId: true }) : [])
    const results = rows.map(async ({ id }): Promise<[string, PublishResult]> => {
      return [id, inserted.has(id) ? { ok: true } : await describeMissing(id)]
    })
    return new Map(await Promise.all(results))
  }

  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      // pg-boss rejects a batch with equal ids.
      const jobs = new Map<string, WebhookEvent>()
      const checked = events.map(
        (event): PublishResult | { readonly id: string; readonly isFirst: boolean } => {
          const failure = findFailure(event, eventBytes)
          if (failure !== undefined) return failure
          const id = toPgBossJobId(event.id)
          const isFirst = !jobs.has(id)
          if (isFirst) jobs.set(id, event)
          return { id, isFirst }
        },
      )
      const results = await untilAborted(insert(jobs), signal)
      return checked.map((one) => {
        if ('ok' in one) return one
        const result = results.get(one.id) ?? notAdmitted
        return result.ok && !one.isFirst ? { ok: true, duplicate: true } : result
      })
    },
  }
}

const notAdmitted: PublishResult = {
  ...{ ok: false, retryable: true },
  error: 'The policy of the queue does not admit the job now',
}

function findFailure(event: WebhookEvent, eventBytes: number): PublishResult | undefined {
  const json = toJson(event, eventBytes)
  if (typeof json !== 'string') return json
  if (!unstorable.test(json)) return undefined
  return {
    ...{ ok: false, retryable: false, tooLarge: true },
    error: 'PostgreSQL stores no NUL and no lone surrogate in JSON: set dataref, and replay the event',
  }
}

/** Matches an escaped NUL or lone surrogate in JSON, after an even number of backslashes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Returns the id of the job of an event: a UUID of version 8 from the hash of the event's id. */
export function toPgBossJobId(eventId: string): string {
  // JSON escapes lone surrogates, which UTF-8 would replace with the same character.
  const hex = hash('sha256', JSON.stringify(eventId), 'hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
