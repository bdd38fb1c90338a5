import type { DeliveryPosition, DeliveryQuery, DeliverySummary } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { matchingDeliveries } from './matching.ts'
import { knownProviders } from './providers.ts'
import { readSummaries } from './summary.ts'

/** Lists deliveries in the order of receipt. */
export async function listDeliveries(
  db: Kysely<InboxTables>,
  query: DeliveryQuery,
): Promise<readonly DeliverySummary[]> {
  const places = await findPlaces(db, query)
  const summaries = await readSummaries(
    db,
    places.map(({ sequence }) => sequence),
  )
  return places.flatMap(({ sequence }) => summaries.get(sequence) ?? [])
}

/** Finds the positions of a page: the first positions of each provider, merged. */
export async function findPlaces(
  db: Kysely<InboxTables>,
  { provider, status, offset = 0, limit, ...bounds }: DeliveryQuery,
): Promise<readonly DeliveryPosition[]> {
  if (limit === 0) return []
  const providers = provider === undefined ? await knownProviders(db) : [escapeText(provider)]
  const direction = bounds.order === 'oldest' ? 1 : -1
  const wanted = offset + limit
  let places: DeliveryPosition[] = []
  for (const one of providers) {
    const { rows } = await sql<{ received_at: number; sequence: number }>`
      select received_at, sequence from (${matchingDeliveries(one, status, bounds, wanted)}) as page
      order by received_at ${sql.raw(direction === 1 ? 'asc' : 'desc')},
        sequence ${sql.raw(direction === 1 ? 'asc' : 'desc')}
      limit ${wanted}`.execute(db)
    places.push(...rows.map((row) => ({ receivedAt: row.received_at, sequence: row.sequence })))
    places.sort((a, b) => direction * (a.receivedAt - b.receivedAt || a.sequence - b.sequence))
    places = places.slice(0, wanted)
  }
  return places.slice(offset)
}
