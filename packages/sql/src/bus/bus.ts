import type { InternalEvent, Publisher } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { readBusEvents } from './bus-events.ts'
import type { Clock } from '../internal/clock.ts'
import { checkIntegers } from '@sallyport/internal/options'
import type { InboxTables } from '../internal/tables.ts'
import { untilAborted } from '@sallyport/internal/deadline'
import { WrittenEvents, type EventJson } from '../internal/event-json.ts'

/** An event on the embedded bus. */
export interface BusEvent {
  /** Grows with every event, in commit order. */
  readonly sequence: number
  readonly event: InternalEvent
}

/** Receives an event after its commit, with its sequence. Errors of the listener are ignored. */
export type BusListener = (event: InternalEvent, sequence: number) => unknown

/** A bus in the database: an append-only table, with subscribers in this process. */
export interface EmbeddedBus extends Publisher {
  /**
   * Reads the events after a sequence, oldest first, from every process that shares the database. An event whose row is
   * unreadable has no data. When the inbox does not have such an event either, its name is empty and only its id is set.
   */
  read(query: {
    /** @default 0 */
    readonly after?: number
    readonly limit: number
  }): Promise<readonly BusEvent[]>
  /**
   * Calls the listener for every event that this process publishes, until the returned function is called. To miss no
   * event, use {@link EmbeddedBus.read} from the sequence that was handled last.
   */
  subscribe(listener: BusListener): () => void
  /**
   * Deletes a batch of the oldest events, in one statement. A deleted id is no longer a duplicate: keep events longer
   * than the longest retry or replay.
   */
  prune(options: BusPruneOptions): Promise<{
    readonly events: number
    /** Whether more events may match: call `prune` again. */
    readonly more: boolean
  }>
}

export interface BusPruneOptions {
  /** Deletes events that were published longer ago than this, in milliseconds by the clock of their publication. */
  readonly publishedForMs: number
  /** The maximum number of rows read. @default 1,000 */
  readonly limit?: number
}

/** @param append returns the sequence of each row, or null for a known id */
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
        // Subscribers also hear of events whose publisher stopped waiting: the events are committed.
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
      checkIntegers({ publishedForMs }, 0)
      checkIntegers({ limit }, 1)
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
      // One object per call, because the same function may subscribe twice.
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
    // The event is committed: an error of the listener changes nothing.
  }
}
