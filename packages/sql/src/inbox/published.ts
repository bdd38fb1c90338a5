import type { PublishedEvent, PublishedQuery } from '@sallyport/webhooks'
import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely'
import { requireAvailable, type Bodies } from '../bodies/bodies.ts'
import { isOneOf } from '../deliveries/endpoint-terms.ts'
import type { Vault } from '../encryption/vault.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { toShownEvent } from './event-row.ts'

type PublishedFilter = Pick<PublishedQuery, 'provider' | 'endpoint' | 'endpoints' | 'name'>

/** Reads published events by their sequence. */
export async function findPublished(
  db: Kysely<InboxTables>,
  { after = 0, before, offset = 0, limit, ...filter }: PublishedQuery,
  { vault, bodies }: { readonly vault: Vault; readonly bodies: Bodies },
): Promise<readonly PublishedEvent[]> {
  const rows = await db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.sequence', 'events.delivery')
    .select([
      'events.id',
      'events.name',
      'events.subject',
      'events.ts',
      'events.data',
      'events.data_body',
      'events.manual',
      'events.trace',
      'events.replay_of',
    ])
    .select(['events.route', 'events.published_at', 'events.published_sequence'])
    .select([
      'deliveries.id as delivery',
      'deliveries.provider',
      'deliveries.endpoint',
      'deliveries.received_at',
    ])
    .where('events.published_sequence', '>', after)
    .$if(before !== undefined, (events) => events.where('events.published_sequence', '<', before as number))
    .where((builder) => matching(builder, filter))
    .orderBy('events.published_sequence', before === undefined ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return requireAvailable(await bodies.load(rows)).map((row) => ({
    sequence: row.published_sequence ?? 0,
    event: toShownEvent(row, vault),
    route: row.route,
    publishedAt: row.published_at ?? 0,
  }))
}

export async function countPublished(db: Kysely<InboxTables>, filter: PublishedFilter): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('published_sequence', 'is not', null)
    .where((builder) => matching(builder, filter))
    .executeTakeFirstOrThrow()
  return count
}

function matching(
  builder: ExpressionBuilder<InboxTables, 'events'>,
  { provider, endpoint, endpoints, name }: PublishedFilter,
): Expression<SqlBool> {
  const terms: Expression<SqlBool>[] = []
  if (provider !== undefined) terms.push(builder('events.provider', '=', escapeText(provider)))
  if (endpoint !== undefined) terms.push(builder('events.endpoint', '=', escapeText(endpoint)))
  if (endpoints !== undefined) terms.push(isOneOf('events.endpoint', endpoints))
  if (name !== undefined) terms.push(builder('events.name', '=', escapeText(name)))
  return builder.and([...terms, isFirstRow])
}

/** An event of destinations only is published when the first of them has it. */
const isFirstRow = sql<SqlBool>`(events.destination is null or not exists (
  select 1 from events x where x.provider = events.provider and x.status in ('pending', 'queued', 'published', 'dead')
    and x.received_at = events.received_at and x.delivery = events.delivery
    and (x.id = substr(events.id, length(events.destination) + 3) or
      (x.published_sequence < events.published_sequence and x.destination is not null
        and substr(x.id, length(x.destination) + 3) = substr(events.id, length(events.destination) + 3)))))`

/** Ids per query; engines limit the parameters of a statement. */
const portion = 1000

/** Returns whether each event id was recorded. */
export async function findRecorded(
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
