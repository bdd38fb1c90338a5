import type { DeliveryPosition, DeliveryQuery, DeliverySummary } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Vault } from '../encryption/vault.ts'
import type { InboxTables } from '../internal/tables.ts'
import { getUnion, maxParts, type Bounds } from './matching.ts'
import { findSources, isFrequentPrefix, type Source } from './sources.ts'
import { readSummaries } from './summary.ts'

/** Lists deliveries in the order of receipt. */
export async function listDeliveries(
  db: Kysely<InboxTables>,
  query: DeliveryQuery,
  vault: Vault,
): Promise<readonly DeliverySummary[]> {
  const places = await findPlaces(db, query)
  const summaries = await readSummaries(
    db,
    places.map(({ sequence }) => sequence),
    vault,
  )
  return places.flatMap(({ sequence }) => summaries.get(sequence) ?? [])
}

/** The deliveries that are read in the order of a list before a text is found by its index. */
const maxWalked = 10_000

/** Finds the positions of a page. */
export async function findPlaces(
  db: Kysely<InboxTables>,
  query: DeliveryQuery,
): Promise<readonly DeliveryPosition[]> {
  const { offset = 0, limit, order, after, ...filter } = query
  if (limit === 0) return []
  const page = { offset, limit }
  const { receivedAfter, receivedBefore, text } = filter
  const bounds = { receivedAfter, receivedBefore, order, after }
  // A frequent text mostly fills a page from the first deliveries. The index has to sort all events with the text.
  if (text !== undefined && (await isFrequentPrefix(db, text))) {
    const first = await findFirstBounds(db, query)
    const places = await selectPlaces(db, await findSources(db, filter, true), first ?? bounds, page)
    if (first === undefined || places.length === limit) return places
  }
  return await selectPlaces(db, await findSources(db, filter), bounds, page)
}

/** The parts of a query that find its first delivery by an index. */
const plainNames = new Set('order after receivedAfter receivedBefore provider status outcome'.split(' '))

/** Restricts a query to about the first {@link maxWalked} deliveries of its order; undefined if it has fewer. */
async function findFirstBounds(db: Kysely<InboxTables>, query: DeliveryQuery): Promise<Bounds | undefined> {
  const { order, after, receivedAfter, receivedBefore } = query
  const bounds = { order, after, receivedAfter, receivedBefore }
  const plain = Object.fromEntries(Object.entries(query).filter(([name]) => plainNames.has(name)))
  const [start] = await findPlaces(db, { ...plain, limit: 1 })
  if (start === undefined) return undefined
  const isOldest = order === 'oldest'
  const { rows } = await sql<{ received_at: number }>`select received_at from deliveries
    where ${isOldest ? sql`sequence >= ${start.sequence + maxWalked}` : sql`sequence <= ${start.sequence - maxWalked}`}
    order by sequence ${sql.raw(isOldest ? 'asc' : 'desc')} limit 1`.execute(db)
  const end = rows[0]?.received_at
  if (end === undefined) return undefined
  return isOldest
    ? { ...bounds, receivedBefore: Math.min(end, receivedBefore ?? end) }
    : { ...bounds, receivedAfter: Math.max(end, receivedAfter ?? end) }
}

/** Selects the positions of a page: the first positions of each source, merged. */
async function selectPlaces(
  db: Kysely<InboxTables>,
  sources: readonly Source[],
  bounds: Bounds,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly DeliveryPosition[]> {
  const direction = bounds.order === 'oldest' ? 1 : -1
  const wanted = offset + limit
  const selectIn = async (some: readonly Source[], count: number, skipped: number) => {
    const { rows } = await sql<PlaceRow>`
      select received_at, sequence from (${getUnion(some.map((source) => source(bounds, wanted)))}) as page
      order by received_at ${sql.raw(direction === 1 ? 'asc' : 'desc')},
        sequence ${sql.raw(direction === 1 ? 'asc' : 'desc')}
      limit ${count} offset ${skipped}`.execute(db)
    return rows.map(toPosition)
  }
  if (sources.length === 0) return []
  if (sources.length <= maxParts) return await selectIn(sources, limit, offset)
  let places: DeliveryPosition[] = []
  for (let start = 0; start < sources.length; start += maxParts) {
    places.push(...(await selectIn(sources.slice(start, start + maxParts), wanted, 0)))
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
