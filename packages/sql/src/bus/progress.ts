import type { DeferredFailure } from '@sallyport/webhooks/consumer'
import type { Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import type { Waiting } from './waiting.ts'

/** What a process knows while it has the lease of a consumer. */
export interface Lease {
  readonly token: string
  /** When the lease ends unless it is renewed, on the clock of `performance.now`. */
  endsAt: number
  /** The sequence of the last received event, without those that had waited. */
  received: number
  /** Whether the last events that were read all belong to lanes with waiting events. */
  isPassing: boolean
  /** The sequences of received events that are neither settled nor stored as waiting, in their order. */
  readonly unsettled: Set<number>
  /** The lanes with waiting events. */
  readonly lanes: Set<string>
  /** The lanes whose attempts have failed since the last success. */
  readonly failed: Set<string>
  /** The waiting events that the consumer has received. */
  readonly active: Set<number>
  /** What is not stored yet. */
  changes: Changes
}

interface Changes {
  /** Events that are settled, or stored as waiting by the same transaction. */
  readonly passed: number[]
  readonly deferred: Deferred[]
  /** Settled events that had waited; `isDone` unless the event is a dead letter. */
  readonly ended: { readonly sequence: number; readonly lane: string; readonly isDone: boolean }[]
}

/** An event that waits. */
export interface Deferred {
  readonly sequence: number
  readonly lane: string
  readonly failure?: DeferredFailure | undefined
  /** Whether the consumer keeps the event, because its handler runs. */
  readonly isHeld?: boolean
}

interface StoreOptions {
  readonly consumer: string
  readonly waiting: Waiting
  /** Called in the transaction when another process has the lease; throws. */
  readonly lose: () => never
}

export const noChanges = (): Changes => ({ passed: [], deferred: [], ended: [] })

export const hasChanges = ({ changes: { passed, deferred, ended } }: Lease): boolean =>
  passed.length + deferred.length + ended.length > 0

/**
 * Stores the changes in one transaction: the position before the first event that is neither settled nor waiting, such events
 * after it, and the events that wait. A transaction that fails changes nothing, and the next one stores its changes too.
 */
export async function storeChanges(
  db: Kysely<InboxTables>,
  held: Lease,
  { consumer, waiting, lose }: StoreOptions,
): Promise<void> {
  const changes = held.changes
  held.changes = noChanges()
  const [first] = held.unsettled
  const position = first === undefined ? held.received : first - 1
  const { deferred, ended } = changes
  const lanes = new Set([...deferred, ...ended].map(({ lane }) => lane))
  let open: readonly string[] = []
  try {
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('bus_consumers')
        .set({ position })
        .where('name', '=', consumer)
        .where('lease', '=', held.token)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) lose()
      await storePassed(
        transaction,
        consumer,
        position,
        changes.passed.filter((sequence) => sequence > position),
      )
      if (lanes.size === 0) return
      await storeDeferred(transaction, waiting, { changes, active: held.active })
      await storeEnded(transaction, waiting, consumer, ended)
      open = await waiting.advance(transaction, [...lanes])
    })
  } catch (error) {
    held.changes.passed.unshift(...changes.passed)
    held.changes.deferred.unshift(...deferred)
    held.changes.ended.unshift(...ended)
    throw error
  }
  for (const { sequence, isHeld } of deferred)
    if (isHeld) held.active.add(sequence)
    else held.active.delete(sequence)
  for (const { sequence } of ended) held.active.delete(sequence)
  const filled = new Set([...open, ...held.changes.deferred.map(({ lane }) => lane)])
  for (const lane of lanes) if (!filled.has(lane)) held.lanes.delete(lane)
}

async function storePassed(
  db: Kysely<InboxTables>,
  consumer: string,
  position: number,
  ahead: readonly number[],
): Promise<void> {
  if (ahead.length > 0)
    await db
      .insertInto('bus_settled')
      .values(ahead.map((sequence) => ({ consumer, sequence })))
      .onConflict((row) => row.doNothing())
      .execute()
  await db
    .deleteFrom('bus_settled')
    .where('consumer', '=', consumer)
    .where('sequence', '<=', position)
    .execute()
}

async function storeDeferred(
  db: Kysely<InboxTables>,
  waiting: Waiting,
  { changes, active }: { readonly changes: Changes; readonly active: ReadonlySet<number> },
): Promise<void> {
  // An event that had waited is not inserted: an operator may have discarded it.
  const rows = changes.deferred.filter(({ sequence }) => !active.has(sequence))
  await waiting.insert(db, rows)
  for (const { sequence, failure } of changes.deferred)
    if (failure) await waiting.postpone(db, sequence, failure)
}

async function storeEnded(
  db: Kysely<InboxTables>,
  waiting: Waiting,
  consumer: string,
  ended: Changes['ended'],
): Promise<void> {
  if (ended.length === 0) return
  await waiting.remove(
    db,
    ended.map(({ sequence }) => sequence),
  )
  // An operator has retried them.
  const done = ended.filter(({ isDone }) => isDone).map(({ sequence }) => sequence)
  if (done.length > 0)
    await db
      .deleteFrom('bus_dead_letters')
      .where('consumer', '=', consumer)
      .where('sequence', 'in', done)
      .execute()
}
