import type { EventStatus } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'

/** Lists the stored names of a provider's kinds with a prefix. Skips through an index, so that the cost is per name. */
export async function findNames(
  db: Kysely<InboxTables>,
  status: 'published' | 'dead',
  provider: string,
  prefix: string,
): Promise<readonly string[]> {
  const indexed = status === 'dead' ? sql`e.status = 'dead'` : sql`e.published_sequence is not null`
  const names = sql`events e where e.provider = ${provider} and ${indexed}`
  const { rows } = await sql<{ name: string }>`
    with recursive known (name) as (
      select min(e.name) from ${names}
      union all
      select (select min(e.name) from ${names} and e.name > known.name) from known where known.name is not null
    )
    select name from known where name is not null`.execute(db)
  // The order of names depends on the collation of the database, so that the database cannot find a prefix by range.
  const wanted = `${provider}/${escapeText(prefix)}`
  return rows.map(({ name }) => name).filter((name) => name.startsWith(wanted))
}

/** Lists the numbers of failed attempts of events, from a least one. */
export async function findAttempts(
  db: Kysely<InboxTables>,
  status: EventStatus,
  least: number,
): Promise<readonly number[]> {
  const attempts = sql`events e where e.status = ${sql.lit(status)} and e.attempts > 0`
  const { rows } = await sql<{ attempts: number }>`
    with recursive known (attempts) as (
      select min(e.attempts) from ${attempts} and e.attempts >= ${least}
      union all
      select (select min(e.attempts) from ${attempts} and e.attempts > known.attempts)
      from known where known.attempts is not null
    )
    select attempts from known where attempts is not null`.execute(db)
  return rows.map((row) => row.attempts)
}
