import type { CancelOptions, CancelResult } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { endWithoutAttempt } from './end-without-attempt.ts'
import { leaseEndsAt, openLanesOf, reserveLanes } from './lanes.ts'
import { findOldestPending, pendingTerms, type PendingRow } from './make-due.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/** Makes pending events without a lease dead letters, oldest first, and reserves the lanes of the others. */
export async function cancelEvents(
  transaction: WriteTransaction,
  { filter, limit }: CancelOptions,
): Promise<CancelResult> {
  const { db, at } = transaction
  const find = (isMatching: RawBuilder<unknown>) =>
    findOldestPending(db, limit, filter, async (provider) => {
      const { rows } = await sql<PendingRow>`
        select e.sequence, e.received_at, e.lane from events e
        where e.provider = ${provider} and e.status = 'pending' and ${isMatching}${pendingTerms(filter)}
        order by e.provider, e.status, e.received_at, e.delivery limit ${limit}`.execute(db)
      return rows
    })
  const found = await find(sql`coalesce(${leaseEndsAt}, 0) <= ${at}`)
  let events = 0
  for (const some of splitIntoPortions(found.map(({ sequence }) => sequence)))
    events += await cancelSome(transaction, some)
  const busy = await find(sql`${leaseEndsAt} > ${at}`)
  await reserveLanes(
    transaction,
    busy.map(({ lane }) => lane),
  )
  return { events, busy: busy.length }
}

/** Cancels events that are still pending and free. */
async function cancelSome(transaction: WriteTransaction, some: readonly number[]): Promise<number> {
  const { db, at, lock } = transaction
  await openLanesOf(
    transaction,
    sql`events e where e.sequence in (${sql.join(some)}) and e.status = 'pending'`,
  )
  const { rows } = await sql<{ sequence: number }>`
    select e.sequence from events e
    where e.sequence in (${sql.join(some)}) and e.status = 'pending' and coalesce(${leaseEndsAt}, 0) <= ${at}
    order by e.sequence ${lock('for no key update of e')}`.execute(db)
  if (rows.length === 0) return 0
  await endWithoutAttempt(transaction, rows, 'Cancelled by an operator')
  return rows.length
}
