import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'

/** Lists the providers of stored events and deliveries. Skips through the indexes, so that the cost is per provider. */
export async function knownProviders(db: Kysely<InboxTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ provider: string }>`
    with recursive with_events (provider) as (
      select min(provider) from events
      union all
      select (select min(e.provider) from events e where e.provider > known.provider)
      from with_events known where known.provider is not null
    ),
    ${eventless('quarantined')},
    ${eventless('resolved')}
    select provider from with_events where provider is not null
    union select provider from quarantined where provider is not null
    union select provider from resolved where provider is not null
    order by provider`.execute(db)
  return rows.map(({ provider }) => provider)
}

const eventless = (state: 'quarantined' | 'resolved') => sql`
    ${sql.raw(state)} (provider) as (
      select min(provider) from deliveries where eventless = ${sql.lit(state)}
      union all
      select (select min(d.provider) from deliveries d
        where d.eventless = ${sql.lit(state)} and d.provider > known.provider)
      from ${sql.raw(state)} known where known.provider is not null
    )`
