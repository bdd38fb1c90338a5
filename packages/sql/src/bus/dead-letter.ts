import type { Kysely } from 'kysely'
import type { DataRow } from '../bodies/bodies.ts'
import { isReference } from '../bodies/reference.ts'
import type { Vault } from '../encryption/vault.ts'
import type { Clock } from '../internal/clock.ts'
import { withData } from '../internal/event-json.ts'
import type { BusDeadLettersTable, InboxTables } from '../internal/tables.ts'

/** Whether a row has the data, or none since an erasure: the consumer has read the data of a reference. */
const isRead = <Row extends Pick<DataRow, 'data_body'>>(row: Row | undefined): row is Row =>
  row !== undefined && (row.data_body === null || !isReference(row.data_body))

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
      .values({ ...letter, event: isRead(row) ? withData(row, vault) : received, dead_at: clock() })
      .onConflict((conflict) =>
        conflict.columns(['consumer', 'sequence']).doUpdateSet({ reason: letter.reason, dead_at: clock() }),
      )
      .execute()
  })
}
