import type { EndpointCount, EndpointCountsQuery } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'

/** Counts the newest deliveries by endpoint. Reads the end of the primary key, so that the cost is that of `newest` rows. */
export async function countByEndpoint(
  db: Kysely<InboxTables>,
  { newest, limit }: EndpointCountsQuery,
): Promise<readonly EndpointCount[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('deliveries')
        .select(['provider', 'endpoint', 'received_at'])
        .orderBy('sequence', 'desc')
        .limit(newest)
        .as('newest'),
    )
    .where('endpoint', 'is not', null)
    .groupBy(['provider', 'endpoint'])
    .select(({ fn }) => [
      'provider',
      'endpoint',
      fn.countAll<number>().as('deliveries'),
      fn.max('received_at').as('last'),
    ])
    .orderBy('deliveries', 'desc')
    .orderBy('endpoint')
    .limit(limit)
    .execute()
  return rows.map(({ provider, endpoint, deliveries, last }) => ({
    provider: unescapeText(provider),
    endpoint: unescapeText(endpoint ?? ''),
    deliveries,
    lastReceivedAt: last,
  }))
}
