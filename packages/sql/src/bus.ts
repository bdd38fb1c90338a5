import type { InternalEvent, Publisher } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { readBusEvents } from './bus-events.ts'
import type { Clock } from './database-clock.ts'
import { requireCounts } from './require.ts'
import type { InboxTables } from './tables.ts'
import { untilAborted } from './until-aborted.ts'
import { WrittenEvents, type EventJson } from './written.ts'

/** An event on the embedded bus. */
export interface BusEvent {
  /** Grows with every event, in the order of their commits. */
  readonly sequence: number
  readonly event: InternalEvent
}

/** Is told of an event once it is committed, with its sequence. What it throws, or rejects with, is ignored. */
export type BusListener = (event: InternalEvent, sequence: number) => unknown

/** A bus in the database: an append-only table, and subscribers in this process. */
export interface EmbeddedBus extends Publisher {
  /**
   * Events behind a sequence, oldest first: of every process that shares the database. One whose row cannot be read any
   * more comes without data, as the inbox knows it; of one that is not in the inbox only the id is known, and its name is
   * empty.
   */
  read(query: {
    /** @default 0 */
    readonly after?: number
    readonly limit: number
  }): Promise<readonly BusEvent[]>
  /**
   * Calls the listener for everything that this process publishes from now on, until the returned function is called.
   * What must not be missed is read with {@link EmbeddedBus.read}, from the sequence that was handled last.
   */
  subscribe(listener: BusListener): () => void
  /**
   * Deletes a portion of the oldest events, in one statement. An id that has gone is no duplicate any more: keep events
   * for longer than anything is retried or replayed.
   */
  prune(options: BusPruneOptions): Promise<{
    readonly events: number
    /** Whether there may be more: call again. */
    readonly more: boolean
  }>
}

export interface BusPruneOptions {
  /** Events go that were published longer ago, in milliseconds by the clock that they were published by. */
  readonly publishedForMs: number
  /** How many rows are looked at. @default 1,000 */
  readonly limit?: number
}

/** @param append answers with the sequence of each row, null for an id that was known */
export function embeddedBus(
  kysely: Kysely<InboxTables>,
  clock: Clock,
  append: (rows: readonly EventJson[], bytes: number) => Promise<readonly (number | null)[]>,
): EmbeddedBus {
  const subscriptions = new Set<{ readonly listener: BusListener }>()

  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      const written = new WrittenEvents(events)
      const { rows, bytes } = written
      if (rows.length === 0) return written.results(() => false)
      const committed = append(rows, bytes).then(
        // Told even when nobody waits for the answer any more: it is on the bus.
        (sequences) => {
          for (const [index, event] of written.events.entries()) {
            const sequence = sequences[index] ?? null
            if (sequence === null) continue
            for (const { listener } of subscriptions) tell(listener, event, sequence)
          }
          return sequences
        },
      )
      const sequences = await untilAborted(committed, signal)
      return written.results((row) => sequences[row] !== null)
    },

    async read({ after = 0, limit }) {
      const rows = await kysely
        .selectFrom('bus_events')
        .select(['sequence', 'id', 'event', 'published_at'])
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limit)
        .execute()
      return await readBusEvents(kysely, rows)
    },

    async prune({ publishedForMs, limit = 1000 }) {
      requireCounts({ publishedForMs, limit: limit === 0 ? -1 : limit })
      const { numDeletedRows } = await kysely
        .deleteFrom('bus_events')
        .where('sequence', 'in', (old) =>
          old
            .selectFrom((bus) =>
              bus
                .selectFrom('bus_events')
                .select(['sequence', 'published_at'])
                .orderBy('sequence')
                .limit(limit)
                .as('oldest'),
            )
            .select('oldest.sequence')
            .where('oldest.published_at', '<=', sql<number>`${clock()} - ${publishedForMs}`),
        )
        .executeTakeFirst()
      const events = Number(numDeletedRows)
      return { events, more: events === limit }
    },

    subscribe(listener) {
      // An object of its own for every call: the same function may be subscribed twice.
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => {
        subscriptions.delete(subscription)
      }
    },
  }
}

function tell(listener: BusListener, event: InternalEvent, sequence: number): void {
  try {
    void Promise.resolve(listener(event, sequence)).catch(() => undefined)
  } catch {
    // The event is on the bus, whatever a listener makes of it.
  }
}
