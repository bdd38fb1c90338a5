import type { EventLease, Settlement, TransactionalHandler } from '@sallyport/webhooks'
import { sql, type Kysely, type Transaction } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import type { SettleResult } from '../inbox/inbox.ts'
import type { Prepare } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { createTransactionalHandler } from '../internal/transactional.ts'
import { transactionsOf, type HandlerClient, type TransactionOf } from './handler-client.ts'
import { settleLanes } from './settle-lanes.ts'
import { settleWork } from './settle.ts'
import { openTransaction } from './within.ts'
import { selectEventOfKey } from './work-tables.ts'

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

/**
 * The locks of a settlement stop all other publications, also when the process is suspended before the commit: the server
 * ends the transaction then.
 */
const limitLocks = sql`set_config('idle_in_transaction_session_timeout', '2000', true)`

async function settleDone(db: Kysely<InboxTables>, lease: EventLease): Promise<SettleResult> {
  await sql`select ${limitLocks}`.execute(db)
  const settlement = { id: escapeText(lease.id), lease: lease.lease, outcome: { status: 'done' } } as const
  if ('lane' in lease) return await settleInLane(db, escapeText(lease.lane), settlement)
  const [result] = await settleWork(db, databaseClock(db), 'publish', [{ settlement, lease: undefined }])
  return result ?? 'lost'
}

/** Settles an event unless an earlier settlement under the same lease has ended it, such as after a timeout. */
async function settleInLane(
  db: Kysely<InboxTables>,
  name: string,
  settlement: Settlement,
): Promise<SettleResult> {
  const { id, lease } = settlement
  // Statements that end an event of a lane lock the lane first.
  const held =
    await sql`select from lanes where name = ${name} and lease = ${lease} for no key update`.execute(db)
  if (held.rows.length === 0) return 'lost'
  const { rows } = await sql<{ notifies: boolean }>`
    select coalesce(e.notification, '') = 'waiting' as notifies
    from ${selectEventOfKey(sql`${id}`)} k
    join events e on e.sequence = k.event and e.lane = ${name} and e.status = 'pending'`.execute(db)
  const [open] = rows
  if (open === undefined) return 'lost'
  await settleLanes(db, databaseClock(db), [{ name, lease, settlements: [settlement], releases: false }])
  return open.notifies ? 'notify' : 'settled'
}
