import type { EventLease, TransactionalHandler } from '@sallyport/webhooks'
import type { Transaction } from 'kysely'
import type { SettleResult } from '../inbox/inbox.ts'
import type { Prepare, RunInTransaction } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { createTransactionalHandler } from '../internal/transactional.ts'
import { toSettlementFields } from './fields.ts'
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
  const settlement = { id: escapeText(lease.id), lease: lease.lease, outcome: { status: 'done' } } as const
  const settlements = toSettlementFields([settlement])
  const query = settleQuery({ at: Date.now(), work: 'publish', settlements, lease: undefined })
  const { rows } = await transaction.executeQuery(query)
  const [results] = rows as readonly (readonly SettleResult[])[]
  return results?.[0] !== undefined && results[0] !== 'lost'
}
