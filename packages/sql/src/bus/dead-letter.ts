import type { Kysely } from 'kysely'
import type { Vault } from '../encryption/vault.ts'
import type { Clock } from '../internal/clock.ts'
import { withData } from '../internal/event-json.ts'
import type { BusDeadLettersTable, InboxTables } from '../internal/tables.ts'

/** Stores a dead letter of a consumer, or its new reason after a retry; without data if an erasure has removed them from the bus meanwhile. */
export async function storeDeadLetter(
  db: Kysely<InboxTables>,
  clock: Clock,
  vault: Vault,
  { event: received, ...letter }: Omit<BusDeadLettersTable, 'dead_at'>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // The update waits for an erasure, and a later erasure waits for the dead letter.
    const row = await transaction
      .updateTable('bus_events')
      .set((row) => ({ event: row.ref('event') }))
      .where('sequence', '=', letter.sequence)
      .returning(['id', 'event', 'data_body'])
      .executeTakeFirst()
    await transaction
      .insertInto('bus_dead_letters')
      .values({ ...letter, event: row ? withData(row, vault) : received, dead_at: clock() })
      .onConflict((conflict) =>
        conflict.columns(['consumer', 'sequence']).doUpdateSet({ reason: letter.reason, dead_at: clock() }),
      )
      .execute()
  })
}
