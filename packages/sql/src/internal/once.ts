import { sql, type Kysely, type Transaction } from 'kysely'
import type { InboxTables } from './tables.ts'
import { databaseClock } from './clock.ts'
import { escapeText } from './text.ts'

/**
 * Makes a handler run once per event, also after a crash: the handler runs in a transaction that also stores the id of the
 * event under the name of the consumer. An event whose id is stored is skipped. The ids are kept as long as the keys of the
 * inbox, 90 days by default.
 */
export type Once<Tables> = <Event extends { readonly id: string }>(
  consumer: string,
  handler: (event: Event, transaction: Transaction<Tables>, signal: AbortSignal) => unknown,
) => (event: Event, signal: AbortSignal) => Promise<void>

/** @param adapt returns the tables of the inbox in a transaction */
export function createOnce<Tables>(
  kysely: Kysely<Tables>,
  adapt: (transaction: Transaction<Tables>) => Kysely<InboxTables>,
): Once<Tables> {
  return (consumer, handler) => (event, signal) =>
    kysely.transaction().execute(async (transaction) => {
      if (await recordHandled(adapt(transaction), consumer, event.id))
        await handler(event, transaction, signal)
    })
}

/** Stores that a consumer handles an event. Returns false if a committed transaction has stored it before. */
export async function recordHandled(
  db: Kysely<InboxTables>,
  consumer: string,
  eventId: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (scope, key, created_at)
    values (${`handled:${escapeText(consumer)}`}, ${escapeText(eventId)}, ${databaseClock(db)()})
    on conflict (scope, key) do nothing
    returning key`.execute(db)
  return rows.length === 1
}
