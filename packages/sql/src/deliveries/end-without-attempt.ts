import { sql } from 'kysely'
import { addFailures } from './add-failures.ts'
import type { WriteTransaction } from './transaction.ts'

/** Makes locked events dead letters; the attempts stay. */
export async function endWithoutAttempt(
  { db, at }: Pick<WriteTransaction, 'db' | 'at'>,
  events: readonly { readonly sequence: number }[],
  error: string,
): Promise<void> {
  if (events.length === 0) return
  await addFailures(
    { db, at },
    events.map(({ sequence }) => ({ sequence, error })),
  )
  await sql`update events set status = 'dead', lease = null, lease_ends_at = null, last_error = ${error}
    where sequence in (${sql.join(events.map(({ sequence }) => sequence))})`.execute(db)
}
