import { sql, type Kysely, type Transaction } from 'kysely'
import type { InboxTables } from './tables.ts'
import { databaseClock } from './clock.ts'
import { prepareStep, runStep, type Prepare, type RunInTransaction } from './prepare.ts'
import { escapeText } from './text.ts'

/**
 * Makes a handler run once per event, also after a crash: its step runs in a transaction that also stores the id of the event
 * under the name of the consumer. An event whose id is stored is skipped. The ids are kept as long as the keys of the
 * inbox, 90 days by default.
 *
 * The function prepares the effects without a transaction, and returns the step that writes them. The step is short: no
 * requests. A step whose signal has aborted does not commit.
 */
export type Once<Tables> = <Event extends { readonly id: string }>(
  consumer: string,
  prepare: Prepare<Event, Transaction<Tables>>,
) => (event: Event, signal: AbortSignal) => Promise<void>

interface OnceOptions<Tables> {
  /** Creates the transactions of one handler. */
  readonly transactions: () => RunInTransaction<Transaction<Tables>>
  /** The tables of the inbox for short reads. */
  readonly reads: Kysely<InboxTables>
  /** Returns the tables of the inbox in a transaction. */
  readonly adapt: (transaction: Transaction<Tables>) => Kysely<InboxTables>
}

export function createOnce<Tables>({ transactions, reads, adapt }: OnceOptions<Tables>): Once<Tables> {
  return (consumer, prepare) => {
    const run = transactions()
    return async (event, signal) => {
      if (await isHandled(reads, consumer, event.id)) return
      const step = await prepareStep(prepare, event, signal)
      await run(async (transaction) => {
        if (!(await recordHandled(adapt(transaction), consumer, event.id))) return
        await runStep(step, transaction, signal)
      })
    }
  }
}

/** The start of the scopes of handled events; the name of the consumer follows. */
export const handledScope = 'handled:'

const scopeOf = (consumer: string) => `${handledScope}${escapeText(consumer)}`

async function isHandled(db: Kysely<InboxTables>, consumer: string, eventId: string): Promise<boolean> {
  const { rows } = await sql`select key from idempotency_keys
    where scope = ${scopeOf(consumer)} and key = ${escapeText(eventId)}`.execute(db)
  return rows.length > 0
}

/** Stores that a consumer handles an event. Returns false if a committed transaction has stored it before. */
export async function recordHandled(
  db: Kysely<InboxTables>,
  consumer: string,
  eventId: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (scope, key, created_at)
    values (${scopeOf(consumer)}, ${escapeText(eventId)}, ${databaseClock(db)()})
    on conflict (scope, key) do nothing
    returning key`.execute(db)
  return rows.length === 1
}
