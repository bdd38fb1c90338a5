import type { EventLease, TransactionalHandler } from '@sallyport/webhooks'
import type { Transaction } from 'kysely'
import type { Prepare, RunInTransaction } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { createTransactionalHandler } from '../internal/transactional.ts'
import { settleQuery } from './worker-connection.ts'

/** Creates handlers that settle their event in the transaction of their writes. */
export type SqliteTransactional = <Event>(
  prepare: Prepare<Event, Transaction<InboxTables>>,
) => TransactionalHandler<Event>

/** @param transactions creates the transactions of one handler */
export function sqliteTransactional(
  transactions: () => RunInTransaction<Transaction<InboxTables>>,
): SqliteTransactional {
  return (prepare) => {
    const run = transactions()
    return createTransactionalHandler(prepare, (work) =>
      run((transaction) => work(transaction, (lease) => settleDone(transaction, lease))),
    )
  }
}

async function settleDone(transaction: Transaction<InboxTables>, lease: EventLease): Promise<boolean> {
  const query = settleQuery({
    at: Date.now(),
    id: escapeText(lease.id),
    lease: lease.lease,
    lane: 'lane' in lease ? escapeText(lease.lane) : undefined,
  })
  const { rows } = await transaction.executeQuery(query)
  return rows[0] === true
}
