import type { NewestCount, NewestCountsQuery } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'
import { toKind } from './summary.ts'

interface Row {
  readonly provider: string
  readonly part: string | null
  readonly deliveries: number
  readonly first: number
  readonly last: number
  readonly latency: number | null
}

/** The column that divides the events of a provider. */
const parts = { provider: sql`null`, kind: sql`e.name`, endpoint: sql`e.endpoint` }

/**
 * Groups the newest events and counts their deliveries. Reads the end of the primary key, so that the cost is that of `newest`
 * rows.
 */
export async function countNewest(
  db: Kysely<InboxTables>,
  { by, newest, limit }: NewestCountsQuery,
): Promise<readonly NewestCount[]> {
  const { rows } = await sql<Row>`
    select r.provider, r.part, count(distinct r.delivery) as deliveries,
      min(r.received_at) as first, max(r.received_at) as last,
      max(case when r.place = (r.published + 1) / 2 then r.latency end) as latency
    from (
      select n.*,
        row_number() over (partition by n.provider, n.part order by n.latency is null, n.latency) as place,
        count(n.latency) over (partition by n.provider, n.part) as published
      from (
        select e.provider, cast(${parts[by]} as text) as part, e.delivery, e.received_at,
          e.published_at - e.received_at as latency
        from events e order by e.sequence desc limit ${newest}
      ) as n
      ${by === 'endpoint' ? sql`where n.part is not null` : sql``}
    ) as r
    group by r.provider, r.part
    order by deliveries desc, r.provider, r.part
    limit ${limit}`.execute(db)
  return rows.map((row) => toCount(by, row))
}

function toCount(by: NewestCountsQuery['by'], row: Row): NewestCount {
  const provider = unescapeText(row.provider)
  const part = unescapeText(row.part ?? '')
  return {
    provider,
    ...(by === 'kind' && { kind: toKind(part, provider) }),
    ...(by === 'endpoint' && { endpoint: part }),
    deliveries: row.deliveries,
    firstReceivedAt: row.first,
    lastReceivedAt: row.last,
    ...(row.latency !== null && { latencyMs: Math.max(0, row.latency) }),
  }
}
