import type { Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'

/** Ids per query; engines limit the parameters of a statement. */
const portion = 1000

/** Returns whether each event id was recorded. */
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
      .execute()
    for (const { key } of rows) found.add(key)
  }
  return keys.map((key) => found.has(key))
}
