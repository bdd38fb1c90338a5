import type { DeliveryPosition, DeliveryQuery, DeliverySummary } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { maxParts, getUnion } from './matching.ts'
import { findSources, type Source } from './sources.ts'
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

/** Finds the positions of a page: the first positions of each source, merged. */
export async function findPlaces(
  db: Kysely<InboxTables>,
  { offset = 0, limit, order, after, ...filter }: DeliveryQuery,
): Promise<readonly DeliveryPosition[]> {
  if (limit === 0) return []
  const { receivedAfter, receivedBefore } = filter
  const bounds = { receivedAfter, receivedBefore, order, after }
  const sources = await findSources(db, filter)
  const direction = order === 'oldest' ? 1 : -1
  const wanted = offset + limit
  const findIn = async (some: readonly Source[], count: number, skipped: number) => {
    const { rows } = await sql<PlaceRow>`
      select received_at, sequence from (${getUnion(some.map((source) => source(bounds, wanted)))}) as page
      order by received_at ${sql.raw(direction === 1 ? 'asc' : 'desc')},
        sequence ${sql.raw(direction === 1 ? 'asc' : 'desc')}
      limit ${count} offset ${skipped}`.execute(db)
    return rows.map(toPosition)
  }
  if (sources.length === 0) return []
  if (sources.length <= maxParts) return await findIn(sources, limit, offset)
  let places: DeliveryPosition[] = []
  for (let start = 0; start < sources.length; start += maxParts) {
    places.push(...(await findIn(sources.slice(start, start + maxParts), wanted, 0)))
    const distinct = new Map(places.map((place) => [place.sequence, place]))
    places = [...distinct.values()]
      .sort((a, b) => direction * (a.receivedAt - b.receivedAt || a.sequence - b.sequence))
      .slice(0, wanted)
  }
  return places.slice(offset)
}

interface PlaceRow {
  readonly received_at: number
  readonly sequence: number
}

const toPosition = ({ received_at, sequence }: PlaceRow): DeliveryPosition => ({
  receivedAt: received_at,
  sequence,
})
