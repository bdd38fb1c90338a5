import type { DeliveryRecord, InternalEvent, RecordResult } from '@sallyport/webhooks'
import { CompiledQuery, Kysely, sql, type PostgresPool } from 'kysely'
import { randomUUID } from 'node:crypto'
import { databaseClock } from '../database-clock.ts'
import type { InboxTables } from '../tables.ts'
import { escapeText } from '../text.ts'
import { toStoredDelivery } from '../to-stored.ts'
import { compress } from './compress.ts'
import { SchemaDialect } from './dialect.ts'
import { withoutMark } from './prepared.ts'
import { recordDeliveries } from './record.ts'
import type { StatementResult, TransactionClient } from './shared-pool.ts'

/** A transaction that is open: of Kysely, or a client of `pg` (or what runs a statement like one) after its `begin`. */
export type OpenTransaction = TransactionClient | Pick<Kysely<unknown>, 'executeQuery' | 'isTransaction'>

/** An event that an application sends by itself. */
export interface OutgoingEvent extends Pick<InternalEvent, 'id' | 'subject' | 'data'> {
  /** `<source>/<kind>`, such as `shop/order.placed`: its source is shown where others have the name of a provider. */
  readonly name: string
  /** When it happened, in milliseconds since the epoch. @default now */
  readonly ts?: number
}

/**
 * What an inbox does as a part of a transaction of yours: it is committed with your own rows, or rolled back with them.
 *
 * The isolation level has to be PostgreSQL's default, read committed. A statement that fails has ended your transaction,
 * as any does: it rejects with the driver's error, and you roll back. Whoever brings the same key waits for your end, so
 * that transactions should be short, and call each member once, with everything: keys are locked in one order then.
 *
 * Nobody is told of what is committed: a dispatcher finds it with its next poll, or at once by `dispatcher.wake()` after
 * your commit.
 */
export interface InboxTransaction {
  /** Sends events as an outbox does: they are published once you have committed, each id once. */
  publish(events: readonly OutgoingEvent[]): Promise<RecordResult>
  /**
   * Whether this is the first time that the consumer handles the event: true until a transaction that asked has been
   * committed, and false from then on, for as long as keys are kept. Of two at the same time, one waits for the other.
   */
  once(consumer: string, eventId: string): Promise<boolean>
  /** Records a delivery, as the inbox does. */
  record(delivery: DeliveryRecord): Promise<RecordResult>
}

/**
 * @param now milliseconds since the epoch
 * @throws TypeError for what commits each statement by itself, such as a pool
 */
export function withinTransaction(
  transaction: OpenTransaction,
  schema: string | undefined,
  now: () => number = Date.now,
): InboxTransaction {
  const isNone = 'isTransaction' in transaction ? !transaction.isTransaction : 'totalCount' in transaction
  if (isNone)
    throw new TypeError('A pool is no transaction: begin one, and pass that, or the client it is on')
  const db = new Kysely<InboxTables>({ dialect: new SchemaDialect(poolOf(transaction), schema) })
  const clock = databaseClock(db)

  async function record(delivery: DeliveryRecord): Promise<RecordResult> {
    const item = {
      delivery: toStoredDelivery(delivery),
      body: await compress(delivery.body),
      lease: undefined,
    }
    const [known = []] = await recordDeliveries(db, clock, [item])
    const ids = delivery.quarantine ? [delivery.quarantine.key] : delivery.events.map(({ event }) => event.id)
    return { events: ids.map((id, index) => ({ id, duplicate: known[index] === true })) }
  }

  return {
    record,

    async publish(events) {
      const [first] = events
      if (first === undefined) return { events: [] }
      const receivedAt = now()
      const provider = sourceOf(first)
      if (events.some((event) => sourceOf(event) !== provider))
        throw new TypeError('Events that are sent together have to be of one source')
      const id = randomUUID()
      const source = { provider, deliveryId: id, receivedAt }
      return record({
        ...{ id, provider, receivedAt, headers: {}, body: new Uint8Array() },
        events: events.map((event) => ({
          event: { ts: receivedAt, ...event, source },
          ...{ route: 'direct', notify: false },
        })),
      })
    },

    async once(consumer, eventId) {
      const { rows } = await sql`
        insert into idempotency_keys (scope, key, created_at)
        values (${`handled:${escapeText(consumer)}`}, ${escapeText(eventId)}, ${clock()})
        on conflict (scope, key) do nothing
        returning key`.execute(db)
      return rows.length === 1
    },
  }
}

function sourceOf({ name }: OutgoingEvent): string {
  const [source = '', kind = ''] = name.split('/', 2)
  if (source === '' || kind === '') throw new TypeError('An event is called <source>/<kind>')
  return source
}

/** What Kysely is to take for a pool: it has this one connection, which is not given back. */
function poolOf(transaction: OpenTransaction): PostgresPool {
  const run = async (marked: string, values: readonly unknown[]): Promise<StatementResult> => {
    // A refusal of a name would end the transaction.
    const text = withoutMark(marked)
    if ('query' in transaction) return transaction.query({ text, values: [...values] })
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows, rowCount: rows.length, command: '' }
  }
  const client = { query: run as never, release: () => undefined }
  return { options: {}, connect: () => Promise.resolve(client), end: () => Promise.resolve() }
}
