import type { Queue, ReceivedEvent } from '@sallyport/webhooks'
import { randomUUID } from 'node:crypto'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { ClaimLimits, LeaseRequest } from '../inbox/inbox.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import { createOperationTracker } from '@sallyport/internal/operation-tracker'
import { inboxUnavailable } from '../internal/errors.ts'
import { checkIntegers } from '@sallyport/internal/options'
import { unescapeText } from '../internal/text.ts'
import { reportUnreadable } from '../internal/errors.ts'
import { untilAborted } from '@sallyport/internal/deadline'
import { readEvent, EventRows, type EventJson } from '../internal/event-json.ts'

export interface QueueOptions {
  /** The lease of a received event, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** How often a waiting receiver polls for events of other processes, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  /** Creates the token of a lease; tokens must be unique. @default a random UUID */
  readonly newToken?: () => string
  /** Called for an unreadable event, which is deleted; the event is lost unless an inbox has recorded it. */
  readonly onError?: (error: unknown) => unknown
}

/** A received row. */
export interface ReceivedRow extends EventJson {
  readonly sequence: number
  readonly attempts: number
  readonly since: number
}

/** The outcome of one lease. */
export interface QueueEnding {
  readonly sequence: number
  readonly lease: string
  /** The delay until the event is due again, in milliseconds; null when the event is finished. */
  readonly afterMs: number | null
}

/** The operations of a queue that each engine implements. */
export interface QueueStore {
  /** Returns whether each row is new. */
  enqueue(rows: readonly EventJson[], bytes: number): Promise<readonly boolean[]>
  receive(limits: ClaimLimits, lease: LeaseRequest): Promise<readonly ReceivedRow[]>
  /** Returns whether the lease was still valid; concurrent calls share a commit. */
  end(ending: QueueEnding): Promise<boolean>
  /** Notifies other processes that an event is due. */
  notify?(): void
  /** Calls back when another process notifies, from the first wait on. */
  listen?(wake: () => void): () => void
}

/** Creates a shared queue over the store of an engine. */
export function createQueue(
  store: QueueStore,
  schema: SchemaCheck,
  { leaseMs = 15_000, pollMs = 1000, newToken = randomUUID, onError }: QueueOptions = {},
): Queue {
  checkIntegers({ leaseMs, pollMs }, 0)
  const operations = createOperationTracker(() => inboxUnavailable(new Error('The queue is closed')))
  const closing = new AbortController()
  const arrivals = createWakeUps()
  const wake = () => {
    arrivals.wake()
  }
  let stopListening: (() => void) | undefined

  function toReceived(row: ReceivedRow, lease: string, measured: boolean): ReceivedEvent | undefined {
    const event = readEvent(row.event)
    if (event === undefined) return undefined
    const { sequence, attempts, since } = row
    const end = (afterMs: number | null) => operations.run(() => store.end({ sequence, lease, afterMs }))
    return {
      event,
      attempts,
      since,
      ...(measured && { bytes: Buffer.byteLength(row.event) }),
      ack: () => end(null),
      async retry(afterMs) {
        if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
        const held = await end(Math.max(0, Math.ceil(afterMs)))
        if (held) wake()
        if (held && afterMs <= 0) store.notify?.()
        return held
      },
    }
  }

  /** Deletes unreadable events from the queue; an inbox that has recorded one enqueues it again. */
  async function deleteUnreadable(rows: readonly ReceivedRow[], lease: string): Promise<void> {
    // An event that was not deleted is received again after its lease.
    const out = await Promise.all(
      rows.map(({ sequence }) => store.end({ sequence, lease, afterMs: null }).catch(() => false)),
    )
    for (const { id } of rows.filter((_, index) => out[index]))
      reportUnreadable(onError, `An event of the queue cannot be read: ${unescapeText(id)} was deleted`)
  }

  /** Receives readable due events; an empty result means that no event is due. */
  async function receiveReadable(limits: ClaimLimits): Promise<readonly ReceivedEvent[]> {
    for (;;) {
      const token = newToken()
      const rows = await schema.claim(() => store.receive(limits, { token, leaseMs }))
      const received: ReceivedEvent[] = []
      const unreadable: ReceivedRow[] = []
      for (const row of rows) {
        const one = toReceived(row, token, limits.maxBytes !== undefined)
        if (one === undefined) unreadable.push(row)
        else received.push(one)
      }
      if (unreadable.length > 0) await deleteUnreadable(unreadable, token)
      if (received.length > 0 || rows.length === 0) return received
    }
  }

  return {
    leaseMs,

    enqueue: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        const written = new EventRows(events)
        const { rows, bytes } = written
        if (rows.length === 0) return written.results(() => ({ ok: true }))
        const fresh = await untilAborted(store.enqueue(rows, bytes).finally(wake), signal)
        if (fresh.includes(true)) store.notify?.()
        return written.results((row) => ({ ok: true, duplicate: fresh[row] !== true }))
      }),

    receive: ({ limit, maxBytes, waitMs = 0, signal }) =>
      operations.run(async () => {
        checkIntegers({ limit, maxBytes }, 0)
        const ended = AbortSignal.any([signal, closing.signal])
        const until = performance.now() + waitMs
        if (waitMs > 0) stopListening ??= store.listen?.(wake)
        for (;;) {
          if (ended.aborted) return []
          const seen = arrivals.count
          const received = await receiveReadable({ limit, maxBytes })
          const leftMs = until - performance.now()
          if (received.length > 0 || leftMs <= 0) return received
          // An event that arrived during the query may be missing from its result.
          if (arrivals.count === seen) await arrivals.pause(Math.min(leftMs, pollMs), ended)
        }
      }),

    async close() {
      closing.abort()
      stopListening?.()
      await operations.close()
    },
  }
}
