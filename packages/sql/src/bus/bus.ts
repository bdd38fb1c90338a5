import { callHook } from '@sallyport/internal/promises'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { sql, type Kysely, type Selectable } from 'kysely'
import { toShownEvent } from '../inbox/event-row.ts'
import { requireAvailable, type Bodies } from '../bodies/bodies.ts'
import { checkObjects, mayRefer } from '../bodies/unused.ts'
import { splitIntoPortions } from '../deliveries/transaction.ts'
import type { Vault } from '../encryption/vault.ts'
import type { Clock } from '../internal/clock.ts'
import { readEvent, EventRows, type BodyEvents, type EventJson } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { BusEventsTable, InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'

/** An event on the embedded bus. */
export interface BusEvent {
  /** Grows with every event, in commit order. */
  readonly sequence: number
  readonly event: WebhookEvent
}

/** Receives an event after its commit, with its sequence. Errors of the listener are ignored. */
type BusListener = (event: WebhookEvent, sequence: number) => unknown

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
   * Deletes a batch of the oldest events, and the dead letters of consumers that are older. A deleted id
   * is no longer a duplicate: keep events longer than the longest retry or replay.
   *
   * Events that a consumer has not settled stay until they are older than `unreadForMs` too, and dead letters that are retried
   * stay.
   */
  prune(options: BusPruneOptions): Promise<{
    readonly events: number
    /** Whether more events may match: call `prune` again. */
    readonly more: boolean
  }>
}

interface BusPruneOptions {
  /** Deletes events that were published longer ago than this, in milliseconds by the clock of their publication. */
  readonly publishedForMs: number
  /**
   * Keeps the events that a consumer has not settled for this time, in milliseconds, if it is longer. A consumer that is no
   * longer started keeps its events until `remove` of `database.consumers()` deletes it.
   *
   * @default 30 days
   */
  readonly unreadForMs?: number
  /** The maximum number of rows read. @default 1,000 */
  readonly limit?: number
}

/** The sequence of an appended event; null for a known id, `missing` if the inbox does not have the data of the event. */
export type Appended = number | null | 'missing'

// The retry publishes the data as JSON.
const withoutBody: PublishResult = {
  ok: false,
  retryable: true,
  error: 'The inbox no longer has the data of the event',
}

interface BusStore {
  readonly kysely: Kysely<InboxTables>
  readonly clock: Clock
  readonly bodyEvents: BodyEvents
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
  readonly append: (rows: readonly EventJson[], bytes: number) => Promise<readonly Appended[]>
}

export function embeddedBus({
  kysely,
  clock,
  bodyEvents,
  schema,
  vault,
  bodies,
  append,
}: BusStore): EmbeddedBus {
  const subscriptions = new Set<{ readonly listener: BusListener }>()

  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      const published = new EventRows(events, vault, bodyEvents)
      const { rows, bytes } = published
      if (rows.length === 0) return published.results(() => ({ ok: true }))
      const committed = append(rows, bytes).then(
        // Subscribers also receive events whose publisher stopped waiting, because the events are committed.
        (sequences) => {
          for (const [index, event] of published.events.entries()) {
            const sequence = sequences[index]
            if (sequence === 'missing') bodyEvents.delete(event)
            if (typeof sequence !== 'number') continue
            for (const { listener } of subscriptions) callHook(listener, event, sequence)
          }
          return sequences
        },
      )
      const sequences = await untilAborted(committed, signal)
      return published.results((row) => {
        const sequence = sequences[row]
        return sequence === 'missing' ? withoutBody : { ok: true, duplicate: sequence === null }
      })
    },

    async read({ after = 0, limit }) {
      const reading = kysely
        .selectFrom('bus_events')
        .select(['sequence', 'id', 'event', 'data_body', 'published_at'])
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limit)
      const rows = requireAvailable(await bodies.load(await schema.claim(() => reading.execute())))
      return await readBusEvents(kysely, rows, vault)
    },

    async prune({ publishedForMs, unreadForMs = 30 * 24 * 60 * 60 * 1000, limit = 1000 }) {
      checkIntegers({ publishedForMs, unreadForMs }, 0)
      checkIntegers({ limit }, 1)
      const old = kysely
        .selectFrom((bus) =>
          bus
            .selectFrom('bus_events')
            .select(['sequence', 'published_at'])
            .orderBy('sequence')
            .limit(limit)
            .as('oldest'),
        )
        .select('oldest.sequence')
        .where('oldest.published_at', '<=', sql<number>`${clock()} - ${publishedForMs}`)
        .where((row) =>
          row.or([
            sql<boolean>`oldest.published_at <= ${clock()} - ${unreadForMs}`,
            row.and([
              row.not(
                row.exists(
                  row.selectFrom('bus_consumers').select('name').whereRef('position', '<', 'oldest.sequence'),
                ),
              ),
              row.not(
                row.exists(
                  row
                    .selectFrom('bus_waiting as w')
                    .select('w.consumer')
                    .whereRef('w.sequence', '=', 'oldest.sequence'),
                ),
              ),
            ]),
          ]),
        )
      const sequences = (await old.execute()).map(({ sequence }) => sequence)
      for (const some of splitIntoPortions(sequences))
        await kysely.transaction().execute(async (transaction) => {
          const references = sql`select data_body from bus_events
            where ${mayRefer('data_body')} and sequence in (${sql.join(some)})`
          await checkObjects(transaction, clock(), references)
          await transaction.deleteFrom('bus_events').where('sequence', 'in', some).execute()
        })
      await kysely
        .deleteFrom('bus_dead_letters')
        .where('dead_at', '<=', sql<number>`${clock()} - ${publishedForMs}`)
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('bus_waiting as w')
                .select('w.lane')
                .whereRef('w.consumer', '=', 'bus_dead_letters.consumer')
                .whereRef('w.sequence', '=', 'bus_dead_letters.sequence'),
            ),
          ),
        )
        .execute()
      return { events: sequences.length, more: sequences.length === limit }
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

/** Reads the events of the rows. An event whose JSON is unreadable is returned without data, as the inbox stores it. */
async function readBusEvents(
  db: Kysely<InboxTables>,
  rows: readonly Selectable<BusEventsTable>[],
  vault: Vault,
): Promise<{ readonly sequence: number; readonly event: WebhookEvent }[]> {
  const events: { readonly sequence: number; readonly event: WebhookEvent }[] = []
  for (const row of rows) {
    const event = readEvent(row, vault) ?? (await readInboxEvent(db, row, vault))
    events.push({ sequence: row.sequence, event })
  }
  return events
}

/** Returns an event without its data, or only its id when the inbox does not have the event. */
async function readInboxEvent(
  db: Kysely<InboxTables>,
  { id, published_at }: Selectable<BusEventsTable>,
  vault: Vault,
): Promise<WebhookEvent> {
  const known = await db
    .selectFrom('idempotency_keys as k')
    .innerJoin('events as e', 'e.sequence', 'k.event')
    .innerJoin('deliveries as d', 'd.sequence', 'e.delivery')
    .select(['e.id', 'e.name', 'e.subject', 'e.ts', 'e.manual', 'e.trace', 'e.replay_of'])
    .select(['d.id as delivery', 'd.provider', 'd.endpoint', 'd.received_at'])
    .where('k.scope', '=', 'event')
    .where('k.key', '=', id)
    .whereRef('e.id', '=', 'k.key')
    .executeTakeFirst()
  if (known !== undefined) return toShownEvent({ ...known, data: null, data_body: null }, vault)
  const source = { provider: '', deliveryId: '', receivedAt: published_at }
  return { id: unescapeText(id), name: '', subject: '', ts: published_at, data: undefined, source }
}
