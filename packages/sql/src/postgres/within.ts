import type { DeliveryRecord, WebhookEvent, RecordResult } from '@sallyport/webhooks'
import { CompiledQuery, Kysely, type PostgresPool } from 'kysely'
import { randomUUID } from 'node:crypto'
import { databaseClock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { sealBody } from '../encryption/seal.ts'
import type { ReadHashes } from '../encryption/value-hashes.ts'
import type { Vault } from '../encryption/vault.ts'
import { recordHandled } from '../internal/once.ts'
import { toStoredDelivery } from '../inbox/stored.ts'
import { compress } from '../inbox/compress.ts'
import { SchemaDialect } from './dialect.ts'
import { withoutMark } from './prepared.ts'
import { recordDeliveries } from './record.ts'
import type { StatementResult, TransactionClient } from './shared-pool.ts'

/** An open transaction: of Kysely, or a `pg` client (or similar object) after its `begin`. */
export type OpenTransaction = TransactionClient | Pick<Kysely<unknown>, 'executeQuery' | 'isTransaction'>

/** An event that the application publishes. */
export interface OutgoingEvent extends Pick<WebhookEvent, 'id' | 'subject' | 'data'> {
  /** `<source>/<kind>`, such as `shop/order.placed`; the source appears as the provider. */
  readonly name: string
  /** The time of the event, in milliseconds since the epoch. @default now */
  readonly ts?: number
}

/**
 * Inbox operations as a part of your transaction: they commit or roll back together with your own rows.
 *
 * The isolation level must be PostgreSQL's default, read committed. A failed statement ends your transaction: the call
 * rejects with the error of the driver, and you roll back. Other transactions with the same key or lane wait for your commit.
 * Keep transactions short, and call each method once with all items: keys are then locked in one order.
 *
 * A commit notifies no process: a dispatcher finds the events with its next poll, or at once after `dispatcher.wake()`.
 */
export interface InboxTransaction {
  /** Publishes events after your commit, each id once, like an outbox. */
  publish(events: readonly OutgoingEvent[]): Promise<RecordResult>
  /**
   * Whether the consumer handles the event for the first time: true until a transaction that called this commits, then
   * false while keys are kept. Of two concurrent transactions, one waits for the other.
   */
  once(consumer: string, eventId: string): Promise<boolean>
  /** Records a delivery, like the inbox. */
  record(delivery: DeliveryRecord): Promise<RecordResult>
}

interface TransactionOptions {
  readonly schema: string | undefined
  readonly vault: Vault
  readonly readHashes: ReadHashes
}

/**
 * @param now milliseconds since the epoch
 * @throws TypeError for a pool, or a Kysely instance outside a transaction
 */
export function withinTransaction(
  transaction: OpenTransaction,
  { schema, vault, readHashes }: TransactionOptions,
  now: () => number = Date.now,
): InboxTransaction {
  const isNone = 'isTransaction' in transaction ? !transaction.isTransaction : 'totalCount' in transaction
  if (isNone)
    throw new TypeError('A pool is not a transaction: begin a transaction, and pass it or its client')
  const db = openTransaction(transaction, schema)
  const clock = databaseClock(db)

  async function record(delivery: DeliveryRecord): Promise<RecordResult> {
    const stored = toStoredDelivery(delivery, { ...vault, hashes: await readHashes('write') })
    const item = {
      delivery: stored,
      body: sealBody(await compress(delivery.body), stored),
      lease: undefined,
    }
    const [recorded = []] = await recordDeliveries(db, clock, [item])
    const ids = delivery.quarantine ? [delivery.quarantine.key] : delivery.events.map(({ event }) => event.id)
    return { events: ids.map((id, index) => ({ id, duplicate: recorded[index] === 'known' })) }
  }

  return {
    record,

    async publish(events) {
      const [first] = events
      if (first === undefined) return { events: [] }
      const receivedAt = now()
      const provider = eventSource(first)
      if (events.some((event) => eventSource(event) !== provider))
        throw new TypeError('Events that are published together must have the same source')
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

    once: (consumer, eventId) => recordHandled(db, consumer, eventId),
  }
}

/** Returns the tables of the inbox in a transaction. */
export const openTransaction = (transaction: OpenTransaction, schema: string | undefined) =>
  new Kysely<InboxTables>({ dialect: new SchemaDialect(adaptTransaction(transaction), schema) })

function eventSource({ name }: OutgoingEvent): string {
  const [source = '', kind = ''] = name.split('/', 2)
  if (source === '' || kind === '') throw new TypeError('The name of an event must be <source>/<kind>')
  return source
}

/** Adapts a transaction to Kysely's pool: a single connection that is never released. */
function adaptTransaction(transaction: OpenTransaction): PostgresPool {
  const run = async (marked: string, values: readonly unknown[]): Promise<StatementResult> => {
    // A rejected statement name would end the transaction.
    const text = withoutMark(marked)
    if ('query' in transaction) return transaction.query({ text, values: [...values] })
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows, rowCount: rows.length, command: '' }
  }
  const client = { query: run as never, release: () => undefined }
  return { options: {}, connect: () => Promise.resolve(client), end: () => Promise.resolve() }
}
