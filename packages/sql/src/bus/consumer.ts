import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SallyportError } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  decodeEvent,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import type { Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import { readEvent, withData } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { isTooNew } from '../migrations/understood.ts'
import { storeDeadLetter } from './dead-letter.ts'
import { createConsumerLease } from './lease.ts'

/** How long the events of a consumer belong to a process that does not renew its lease, in milliseconds. */
const leaseMs = 30_000
/** The pause of a process after it found no event, and of one without the lease. */
const emptyMs = 200
const standbyMs = 1000

/** What a process knows while it has the lease of a consumer. */
interface Lease {
  readonly token: string
  /** When the lease ends unless it is renewed, on the clock of `performance.now`. */
  endsAt: number
  /** The sequence of the last received event. */
  received: number
  /** The sequences of received events that are not settled, in their order. */
  readonly unsettled: Set<number>
  /** Settled sequences that are not stored yet. */
  settled: number[]
}

const createLostError = () =>
  new SallyportError(
    'SERVICE_UNAVAILABLE',
    'Another process took over: it handles the unsettled events again',
  )

/**
 * Creates a consumer of the embedded bus.
 *
 * One process of a name has the lease and receives the events. The database stores the position before the first event that is
 * not settled, and the settled events after it. Dead letters go to the table `bus_dead_letters`.
 */
export function createBusConsumer<Providers extends readonly AnyProvider[]>(
  storage: ConsumerStorage,
  options: ConsumerOptions<Providers>,
): Consumer {
  return createConsumer(createSource(storage, options.name), options)
}

interface ConsumerStorage {
  readonly kysely: Kysely<InboxTables>
  readonly schema: SchemaCheck
}

function createSource({ kysely: db, schema }: ConsumerStorage, consumer: string): ConsumerSource {
  const clock = databaseClock(db)
  const row = createConsumerLease(db, clock, { table: 'bus_consumers', consumer, leaseMs })
  let lease: Lease | undefined
  let storing: Promise<void> = Promise.resolve()
  let nextStore: Promise<void> | undefined

  /** Takes the lease if it is free. */
  async function take(): Promise<Lease | undefined> {
    const token = randomUUID()
    const endsAt = performance.now() + leaseMs
    if (!(await row.take(token))) return undefined
    const reading = db.selectFrom('bus_consumers').select('position').where('name', '=', consumer)
    const { position } = await reading.executeTakeFirstOrThrow()
    return { token, endsAt, received: position, unsettled: new Set(), settled: [] }
  }

  async function renew(held: Lease): Promise<void> {
    const endsAt = performance.now() + leaseMs
    if (await row.renew(held.token)) held.endsAt = endsAt
    else lose(held)
  }

  function lose(held: Lease): never {
    if (lease === held) lease = undefined
    throw createLostError()
  }

  /** Stores the settled events. Concurrent calls share one transaction. */
  function store(held: Lease): Promise<void> {
    nextStore ??= storing
      .catch(() => undefined)
      .then(() => {
        nextStore = undefined
        return (storing = storeSettled(held))
      })
    return nextStore
  }

  async function storeSettled(held: Lease): Promise<void> {
    const settled = held.settled
    held.settled = []
    const [first] = held.unsettled
    const position = first === undefined ? held.received : first - 1
    try {
      await db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('bus_consumers')
          .set({ position })
          .where('name', '=', consumer)
          .where('lease', '=', held.token)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) lose(held)
        const ahead = settled.filter((sequence) => sequence > position)
        if (ahead.length > 0)
          await transaction
            .insertInto('bus_settled')
            .values(ahead.map((sequence) => ({ consumer, sequence })))
            .onConflict((row) => row.doNothing())
            .execute()
        await transaction
          .deleteFrom('bus_settled')
          .where('consumer', '=', consumer)
          .where('sequence', '<=', position)
          .execute()
      })
    } catch (error) {
      // The events are handled, so that the next transaction stores them.
      held.settled.unshift(...settled)
      throw error
    }
  }

  function toReceived(held: Lease, { sequence, id, event, data_body }: BusRow): ReceivedMessage {
    const ack = async () => {
      if (lease !== held) throw createLostError()
      held.unsettled.delete(sequence)
      held.settled.push(sequence)
      await store(held)
    }
    return {
      decode: () => decodeEvent(data_body === null ? JSON.parse(event) : readEvent(event, data_body)),
      deliveries: 0,
      ack,
      async deadLetter(reason) {
        // The renewal fails if another process has the lease: it handles the event.
        await renew(held)
        await storeDeadLetter(db, clock, {
          consumer,
          sequence,
          id,
          reason,
          event: withData(event, data_body),
        })
        await ack()
      },
      // The position stays before the event, for the next process.
      release: () => Promise.resolve(),
      isLost: () => lease !== held,
    }
  }

  async function readEvents({ received }: Lease, limit: number): Promise<readonly BusRow[]> {
    return db
      .selectFrom('bus_events as b')
      .leftJoin('bus_settled as s', (join) =>
        join.onRef('s.sequence', '=', 'b.sequence').on('s.consumer', '=', consumer),
      )
      .select(['b.sequence', 'b.id', 'b.event', 'b.data_body', 's.sequence as settled'])
      .where('b.sequence', '>', received)
      .orderBy('b.sequence')
      .limit(limit)
      .execute()
  }

  async function receive(limit: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]> {
    const held = (lease ??= await take())
    if (held === undefined) {
      await pause(standbyMs, signal)
      return []
    }
    // Also renews an expired lease that no other process took, for example after an outage of the database.
    if (held.endsAt - performance.now() < leaseMs / 2) await renew(held)
    const rows = await readEvents(held, limit)
    if (rows.length === 0) await pause(emptyMs, signal)
    // Events that were settled before their position was reached are passed over.
    const open = rows.filter(({ settled }) => settled === null)
    held.received = rows.at(-1)?.sequence ?? held.received
    for (const { sequence } of open) held.unsettled.add(sequence)
    return open.map((row) => toReceived(held, row))
  }

  /** Gives up the lease, so that another process takes over at once. */
  async function leave(): Promise<void> {
    const held = lease
    if (held === undefined) return
    try {
      await store(held)
      await row.release(held.token)
    } catch {
      // The lease ends by itself.
    }
    if (lease === held) lease = undefined
  }

  return {
    open: () => db.selectFrom('bus_consumers').select('name').limit(1).execute(),
    async receive(limit, signal) {
      try {
        return await schema.claim(() => receive(limit, signal))
      } catch (error) {
        if (isTooNew(error)) await leave()
        throw error
      }
    },
    renew: async () => {
      if (lease !== undefined) await renew(lease)
    },
    renewMs: leaseMs / 3,
    close: leave,
  }
}

interface BusRow {
  readonly sequence: number
  readonly id: string
  readonly event: string
  readonly data_body: Uint8Array | null
  readonly settled: number | null
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)
