import type { EventLease, TransactionalHandler } from '@sallyport/webhooks'
import type { Kysely, Transaction } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import type { SettleResult } from '../inbox/inbox.ts'
import type { Prepare } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { createTransactionalHandler } from '../internal/transactional.ts'
import { transactionsOf, type HandlerClient, type TransactionOf } from './handler-client.ts'
import { settleWork } from './settle.ts'
import { openTransaction } from './within.ts'

/** Creates handlers that settle their event in the transaction of their writes. */
export interface Transactional {
  /** The transaction is one of Kysely, over the connections of handlers. */
  <Event>(prepare: Prepare<Event, Transaction<unknown>>): TransactionalHandler<Event>
  /** The transaction is one of a client of yours for the same database. */
  <Event, Client extends HandlerClient>(
    prepare: Prepare<Event, TransactionOf<Client>>,
    options: { readonly client: Client },
  ): TransactionalHandler<Event>
}

/**
 * @param kysely the connections of handlers
 * @param onNotification called after a commit that has made a notification due
 */
export function createTransactional(
  kysely: Kysely<unknown>,
  schema: string | undefined,
  onNotification: () => void,
): Transactional {
  return <Event>(
    prepare: Prepare<Event, never>,
    { client = kysely }: { readonly client?: HandlerClient } = {},
  ): TransactionalHandler<Event> => {
    const transact = transactionsOf(client)
    return createTransactionalHandler<Event, never>(prepare, async (work) => {
      const results: SettleResult[] = []
      await transact((transaction, open) =>
        work(transaction as never, async (lease) => {
          const result = await settleDone(openTransaction(open, schema), lease)
          results.push(result)
          return result !== 'lost'
        }),
      )
      if (results.includes('notify')) onNotification()
    })
  }
}

async function settleDone(db: Kysely<InboxTables>, lease: EventLease): Promise<SettleResult> {
  const settlement = { id: escapeText(lease.id), lease: lease.lease, outcome: { status: 'done' } } as const
  const [result] = await settleWork(db, databaseClock(db), 'publish', [{ settlement, lease: undefined }])
  return result ?? 'lost'
}
