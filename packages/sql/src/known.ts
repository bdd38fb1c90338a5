import type { Kysely } from 'kysely'
import type { InboxTables } from './tables.ts'
import { escapeText } from './text.ts'

/** Whether each of the ids of events was recorded. */
export async function findKnown(
  db: Kysely<InboxTables>,
  ids: readonly string[],
): Promise<readonly boolean[]> {
  const keys = ids.map(escapeText)
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('scope', '=', 'event')
    .where('key', 'in', [...new Set(keys)])
    .execute()
  const found = new Set(rows.map(({ key }) => key))
  return keys.map((key) => found.has(key))
}
