import { SallyportError } from '@sallyport/errors'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import type { Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import { requireAvailable, type Bodies } from '../bodies/bodies.ts'
import type { Vault } from '../encryption/vault.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { requireKeys } from '../internal/event-json.ts'
import { isTooNew } from '../migrations/understood.ts'
import { storeDeadLetter } from './dead-letter.ts'
import { createConsumerLease, createToken } from './lease.ts'
import { hasChanges, noChanges, storeChanges, type Lease } from './progress.ts'
import { toReceived, type ReceivedRow } from './received.ts'
import { createWaiting, type WaitingRow } from './waiting.ts'

/** How long the events of a consumer belong to a process that does not renew its lease, in milliseconds. */
const leaseMs = 30_000
/** The pause of a process after it found no event, and of one without the lease. */
const emptyMs = 200
const standbyMs = 1000
/** The events that are read at once while all belong to lanes with waiting events. */
const passing = 1000

const createLostError = () =>
  new SallyportError(
    'SERVICE_UNAVAILABLE',
    'Another process took over: it handles the unsettled events again',
  )

/**
 * Creates a consumer of the embedded bus.
 *
 * One process of a name has the lease and receives the events. The database stores the position before the first event that is
 * neither settled nor waiting, and such events after it. An event whose attempt failed, and the events of its subject after it,
 * wait in the table `bus_waiting`. Dead letters go to the table `bus_dead_letters`.
 */
export function createBusConsumer<Providers extends readonly AnyProvider[]>(
  storage: ConsumerStorage,
  options: ConsumerOptions<Providers>,
): Consumer {
  return createConsumer(createSource(storage, options.name, options.maxInFlight ?? 100), options)
}

interface ConsumerStorage {
  readonly kysely: Kysely<InboxTables>
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
}

/** @param mostFailed the number of failed lanes without a success after which all handlers seem to fail */
function createSource(
  { kysely: db, schema, vault, bodies }: ConsumerStorage,
  consumer: string,
  mostFailed: number,
): ConsumerSource {
  const clock = databaseClock(db)
  const row = createConsumerLease(db, clock, { table: 'bus_consumers', consumer, leaseMs })
  const waiting = createWaiting(db, clock, consumer)
  const changes = createWakeUps()
  let lease: Lease | undefined
  let storing: Promise<unknown> = Promise.resolve()
  let nextStore: Promise<void> | undefined
  let nextCheckAt = 0
  let nextProbeAt = 0

  /** Takes the lease if it is free. */
  async function take(): Promise<Lease | undefined> {
    const token = createToken()
    const endsAt = performance.now() + leaseMs
    if (!(await row.take(token))) return undefined
    const reading = db.selectFrom('bus_consumers').select('position').where('name', '=', consumer)
    const { position } = await reading.executeTakeFirstOrThrow()
    const lanes = new Set(await waiting.takeOver())
    const events = {
      unsettled: new Set<number>(),
      lanes,
      failed: new Set<string>(),
      active: new Set<number>(),
    }
    return { token, endsAt, received: position, isPassing: false, ...events, changes: noChanges() }
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

  /** Runs after the work before it has ended, also if that failed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = storing.catch(() => undefined).then(work)
    storing = result
    return result
  }

  /** Stores the changes. Concurrent calls share one transaction. */
  function store(held: Lease): Promise<void> {
    return (nextStore ??= inTurn(async () => {
      nextStore = undefined
      await storeChanges(db, held, { consumer, waiting, lose: () => lose(held) })
      changes.wake()
    }))
  }

  async function change(held: Lease, sequence: number, add: () => void): Promise<void> {
    if (lease !== held) throw createLostError()
    if (held.unsettled.delete(sequence)) held.changes.passed.push(sequence)
    add()
    await store(held)
  }

  const receiveRow = (held: Lease, received: ReceivedRow) =>
    toReceived(held, received, {
      isLost: () => lease !== held,
      vault,
      change: (sequence, add) => change(held, sequence, add),
      async bury(letter) {
        // The renewal fails if another process has the lease: it handles the event.
        await renew(held)
        await storeDeadLetter(db, clock, vault, { consumer, ...letter })
      },
    })

  /** Reads events that have waited. An operator may add some at any time. */
  async function readWaiting(held: Lease, limit: number): Promise<readonly WaitingRow[]> {
    if (held.lanes.size === 0 && performance.now() < nextCheckAt) return []
    nextCheckAt = performance.now() + standbyMs
    // An event is received again only if the query follows its settlement.
    return inTurn(() => schema.claim(() => waiting.due(limit + held.active.size)))
  }

  function receiveWaiting(
    held: Lease,
    rows: readonly WaitingRow[],
    limit: number,
  ): readonly ReceivedMessage[] {
    const received: ReceivedMessage[] = []
    for (const one of rows) {
      const { sequence, id, event, lane } = one
      if (held.active.has(sequence)) continue
      if (received.length === limit) break
      held.active.add(sequence)
      held.lanes.add(lane)
      if (id !== null && event !== null) received.push(receiveRow(held, { ...one, id, event }))
      // The event was pruned.
      else held.changes.ended.push({ sequence, lane, isDone: false })
    }
    return received
  }

  async function readNew({ received, isPassing }: Lease, limit: number): Promise<readonly BusRow[]> {
    if (limit === 0) return []
    const reading = db
      .selectFrom('bus_events as b')
      .leftJoin('bus_settled as s', (join) =>
        join.onRef('s.sequence', '=', 'b.sequence').on('s.consumer', '=', consumer),
      )
      .select(['b.sequence', 'b.id', 'b.event', 'b.data_body', 's.sequence as settled'])
      .where('b.sequence', '>', received)
      .orderBy('b.sequence')
      .limit(isPassing ? Math.max(limit, passing) : limit)
    return schema.claim(() => reading.execute())
  }

  async function receive(limit: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]> {
    const held = (lease ??= await take())
    if (held === undefined) {
      await changes.pause(standbyMs, signal)
      return []
    }
    // Also renews an expired lease that no other process took, for example after an outage of the database.
    if (held.endsAt - performance.now() < leaseMs / 2) await renew(held)
    // Of a transaction that failed.
    if (hasChanges(held)) await store(held)
    const seen = changes.count
    // Half of the room, so that neither new events nor retries wait for the others.
    const half = Math.ceil(limit / 2)
    const room = limitNew(held, limit)
    // A query that fails must not lose the rows of the other one: both precede every change.
    const newRows = requireAvailable(await bodies.load(await readNew(held, room)))
    const waitingRows = requireAvailable(await bodies.load(await readWaiting(held, half)))
    requireKeys([...newRows, ...waitingRows], vault)
    const waited = receiveWaiting(held, waitingRows, half)
    const received = receiveNew(held, newRows, Math.min(room, limit - waited.length))
    if (waited.length + received.length === 0 && changes.count === seen && !hasChanges(held))
      await changes.pause(emptyMs, signal)
    return [...waited, ...received]
  }

  /**
   * While all handlers seem to fail, for example because a database is unavailable, one new event a second shows whether that
   * has ended: otherwise the events of all subjects would use up their attempts.
   */
  function limitNew(held: Lease, limit: number): number {
    if (held.failed.size < mostFailed) return limit
    if (performance.now() < nextProbeAt) return 0
    nextProbeAt = performance.now() + standbyMs
    return Math.min(1, limit)
  }

  function receiveNew(held: Lease, rows: readonly BusRow[], limit: number): readonly ReceivedMessage[] {
    const received: ReceivedMessage[] = []
    for (const one of rows) {
      // Events that were passed before their position was reached are skipped.
      if (one.settled === null) {
        const message = receiveRow(held, one)
        if (message.isBehind()) message.pass()
        else if (received.length === limit) break
        else {
          held.unsettled.add(one.sequence)
          received.push(message)
        }
      }
      held.received = one.sequence
    }
    const last = rows.at(-1)?.sequence
    held.isPassing = received.length === 0 && last !== undefined && last === held.received
    return received
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
        return await receive(limit, signal)
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

interface BusRow extends ReceivedRow {
  readonly settled: number | null
}
