import { hash } from 'node:crypto'
import type { WebhookEvent } from '@sallyport/webhooks'
import type { DeferredFailure } from '@sallyport/webhooks/consumer'
import { sql, type Kysely } from 'kysely'
import { splitIntoPortions } from '../deliveries/transaction.ts'
import type { Clock } from '../internal/clock.ts'
import type { BusWaitingTable, InboxTables } from '../internal/tables.ts'

/** An event that waits, with its data on the bus or in a dead letter that is retried; null when both are deleted. */
export interface WaitingRow {
  readonly sequence: number
  readonly id: string | null
  readonly event: string | null
  readonly data_body: Uint8Array | null
  readonly lane: string
  readonly failures: number
}

/** The queries of one consumer on the events that wait. */
export interface Waiting {
  /** Makes the failed events due with all their attempts: the new process may have another handler. Returns the lanes. */
  readonly takeOver: () => Promise<readonly string[]>
  /** Reads events that are due, the longest due first. */
  readonly due: (limit: number) => Promise<readonly WaitingRow[]>
  readonly insert: (
    db: Kysely<InboxTables>,
    rows: readonly Pick<BusWaitingTable, 'sequence' | 'lane'>[],
  ) => Promise<void>
  /** Stores when an attempt follows. */
  readonly postpone: (db: Kysely<InboxTables>, sequence: number, failure: DeferredFailure) => Promise<void>
  readonly remove: (db: Kysely<InboxTables>, sequences: readonly number[]) => Promise<void>
  /** Makes the first event of each lane due if it only waited for others, and returns the lanes that have events. */
  readonly advance: (db: Kysely<InboxTables>, lanes: readonly string[]) => Promise<readonly string[]>
}

const notAttempted = { failures: 0, error: null, due_at: null }

/** Returns the lane of an event as a text of limited length. Texts that are not events have a lane of their own. */
export function hashLane(read: () => WebhookEvent): string {
  try {
    const { subject, id } = read()
    return hash('sha256', subject || id, 'base64url')
  } catch {
    return 'unreadable'
  }
}

export function createWaiting(db: Kysely<InboxTables>, clock: Clock, consumer: string): Waiting {
  return {
    async takeOver() {
      await db
        .updateTable('bus_waiting')
        .set({ failures: 0, due_at: clock() })
        .where('consumer', '=', consumer)
        .where('due_at', 'is not', null)
        .execute()
      const reading = db.selectFrom('bus_waiting').select('lane').distinct().where('consumer', '=', consumer)
      return (await reading.execute()).map(({ lane }) => lane)
    },

    due: (limit) =>
      db
        .selectFrom('bus_waiting as w')
        .leftJoin('bus_events as b', 'b.sequence', 'w.sequence')
        .leftJoin('bus_dead_letters as d', (join) =>
          join.onRef('d.consumer', '=', 'w.consumer').onRef('d.sequence', '=', 'w.sequence'),
        )
        .select(['w.sequence', 'w.lane', 'w.failures', 'b.data_body'])
        .select(({ fn }) => [
          fn.coalesce('b.id', 'd.id').as('id'),
          fn.coalesce('b.event', 'd.event').as('event'),
        ])
        .where('w.consumer', '=', consumer)
        .where('w.due_at', '<=', clock())
        .orderBy('w.due_at')
        .orderBy('w.sequence')
        .limit(limit)
        .execute(),

    async insert(transaction, rows) {
      for (const some of splitIntoPortions(rows))
        await transaction
          .insertInto('bus_waiting')
          .values(some.map(({ sequence, lane }) => ({ consumer, sequence, lane, ...notAttempted })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },

    async postpone(transaction, sequence, { failures, error, afterMs }) {
      await transaction
        .updateTable('bus_waiting')
        .set({ failures, error, due_at: sql<number>`${clock()} + ${Math.ceil(afterMs)}` })
        .where('consumer', '=', consumer)
        .where('sequence', '=', sequence)
        .execute()
    },

    async remove(transaction, sequences) {
      await transaction
        .deleteFrom('bus_waiting')
        .where('consumer', '=', consumer)
        .where('sequence', 'in', sequences)
        .execute()
    },

    async advance(transaction, lanes) {
      const open: string[] = []
      for (const some of splitIntoPortions(lanes)) open.push(...(await advanceSome(transaction, some)))
      return open
    },
  }

  async function advanceSome(transaction: Kysely<InboxTables>, lanes: readonly string[]) {
    const asked = sql.join(lanes.map((lane) => sql`(cast(${lane} as text))`))
    // One search of the index per lane: the cost does not grow with its events.
    const { rows } = await sql<{ lane: string; sequence: number; due_at: number | null }>`
      select w.lane, w.sequence, w.due_at from (values ${asked}) as asked join bus_waiting w
      on w.consumer = ${consumer} and w.sequence = (
        select min(sequence) from bus_waiting where consumer = ${consumer} and lane = asked.column1
      )`.execute(transaction)
    const next = rows.filter(({ due_at }) => due_at === null).map(({ sequence }) => sequence)
    if (next.length > 0)
      await transaction
        .updateTable('bus_waiting')
        .set({ due_at: clock() })
        .where('consumer', '=', consumer)
        .where('sequence', 'in', next)
        .execute()
    return rows.map(({ lane }) => lane)
  }
}
