import type { InternalEvent, Queue, ReceivedEvent } from '@sallyport/webhooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Operations } from './operations.ts'
import { inboxUnavailable } from './refusals.ts'
import { requireCounts } from './require.ts'
import { escapeText } from './text.ts'
import { untilAborted } from './until-aborted.ts'

export interface QueueOptions {
  /** How long a received event is the receiver's, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** How often a waiting receiver looks for what other processes have enqueued, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  /** The token of a lease; no two may be equal. @default a random UUID */
  readonly newToken?: () => string
}

/** A row to be enqueued; the event is JSON. */
export interface QueueRow {
  readonly id: string
  readonly event: string
}

/** A row that was received. */
export interface ReceivedRow {
  readonly sequence: number
  readonly event: string
  readonly attempts: number
  readonly since: number
}

/** The end of one lease. */
export interface QueueEnding {
  readonly sequence: number
  readonly lease: string
  /** When it is due again, in milliseconds from now; null when it is done with. */
  readonly afterMs: number | null
}

/** What an engine does in its own way. */
export interface QueueStore {
  /** Whether each row is new. */
  enqueue(rows: readonly QueueRow[], bytes: number): Promise<readonly boolean[]>
  receive(limit: number, token: string, leaseMs: number): Promise<readonly ReceivedRow[]>
  /** Whether the lease still held; many that come at once share a commit. */
  end(ending: QueueEnding): Promise<boolean>
  /** Tells other processes that something is due. */
  tell?(): void
  /** Calls back when other processes tell it, from the first wait on. */
  listen?(wake: () => void): () => void
}

/** The shared queue over an engine's store. */
export function createQueue(
  store: QueueStore,
  { leaseMs = 15_000, pollMs = 1000, newToken = randomUUID }: QueueOptions = {},
): Queue {
  requireCounts({ leaseMs, pollMs })
  const operations = new Operations(() => inboxUnavailable(new Error('The queue is closed')))
  const closing = new AbortController()
  const waiting = new Set<AbortController>()
  let arrivals = 0
  let stopListening: (() => void) | undefined

  function wakeAll(): void {
    arrivals++
    for (const one of waiting) one.abort()
  }

  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController()
    waiting.add(woken)
    try {
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) })
    } catch {
      // Woken, or told to wait no longer: the caller looks which.
    } finally {
      waiting.delete(woken)
    }
  }

  function toReceived({ sequence, event, attempts, since }: ReceivedRow, lease: string): ReceivedEvent {
    const end = (afterMs: number | null) => operations.run(() => store.end({ sequence, lease, afterMs }))
    return {
      event: JSON.parse(event) as InternalEvent,
      attempts,
      since,
      ack: () => end(null),
      async retry(afterMs) {
        if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
        const held = await end(Math.max(0, Math.ceil(afterMs)))
        if (held) wakeAll()
        if (held && afterMs <= 0) store.tell?.()
        return held
      },
    }
  }

  return {
    leaseMs,

    enqueue: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const rows = events.map((event) => ({ id: escapeText(event.id), event: JSON.stringify(event) }))
        const bytes = rows.reduce((sum, { event }) => sum + event.length, 0)
        const fresh = await untilAborted(store.enqueue(rows, bytes).finally(wakeAll), signal)
        if (fresh.includes(true)) store.tell?.()
        return fresh.map((isFresh) => ({ ok: true, duplicate: !isFresh }))
      }),

    receive: ({ limit, waitMs = 0, signal }) =>
      operations.run(async () => {
        requireCounts({ limit })
        const ended = AbortSignal.any([signal, closing.signal])
        const until = performance.now() + waitMs
        if (waitMs > 0) stopListening ??= store.listen?.(wakeAll)
        for (;;) {
          if (ended.aborted) return []
          const seen = arrivals
          const token = newToken()
          const rows = await store.receive(limit, token, leaseMs)
          const leftMs = until - performance.now()
          if (rows.length > 0 || leftMs <= 0) return rows.map((row) => toReceived(row, token))
          // What came in while the store was asked may not be in its answer.
          if (arrivals === seen) await pause(Math.min(leftMs, pollMs), ended)
        }
      }),

    async close() {
      closing.abort()
      stopListening?.()
      await operations.close()
    },
  }
}
