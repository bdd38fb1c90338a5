import { sql, type Kysely } from 'kysely'
import { isDiscarded } from './deliveries/terms.ts'
import type { InboxTables } from './tables.ts'
import { escapeText } from './text.ts'

/** As many are asked for at once; engines bound the parameters of a statement. */
const portion = 1000

/** Whether each of the ids of events was recorded, and not erased before it was published. */
export async function findKnown(
  db: Kysely<InboxTables>,
  ids: readonly string[],
): Promise<readonly boolean[]> {
  const keys = ids.map(escapeText)
  const asked = [...new Set(keys)]
  const found = new Set<string>()
  for (let start = 0; start < asked.length; start += portion) {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select('key')
      .where('scope', '=', 'event')
      .where('key', 'in', asked.slice(start, start + portion))
      .where(
        sql<boolean>`not exists (
        select 1 from events e where e.sequence = idempotency_keys.event and ${sql.raw(isDiscarded)})`,
      )
      .execute()
    for (const { key } of rows) found.add(key)
  }
  return keys.map((key) => found.has(key))
}
