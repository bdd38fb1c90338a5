import type { EventStatus } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { escapeText } from '../internal/text.ts'
import { findHandled, forgetHandled } from './handled.ts'
import { readPrefix, readRow } from '@sallyport/internal/destination-row'
import { isOfLanes, openLanesOf, placeAt } from './lanes.ts'
import { eventsOfDelivery } from './terms.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/** Deliveries whose events become due again. */
export interface ReplayRequest {
  /** By their sequences. */
  readonly deliveries: readonly number[]
  readonly statuses: readonly Exclude<EventStatus, 'pending'>[]
  /** Part of the new ids; undefined keeps the ids. */
  readonly token: string | undefined
  /** Whether consumers handle events again that they have handled. */
  readonly reprocess: boolean
  /** Only events of this destination. */
  readonly destination: string | undefined
}

/** An event that is due again. */
export interface ReplayedRow {
  readonly delivery: number
  readonly id: string
  /** Whether the event was published before under the same id. */
  readonly republished: boolean
  /** Whether a consumer with `once` had handled the event. */
  readonly handled: boolean
}

interface EventRow {
  readonly sequence: number
  readonly delivery: number
  readonly id: string
  readonly provider: string
  readonly status: Exclude<EventStatus, 'pending'>
  readonly replay_of: string | null
  readonly published_sequence: number | null
  readonly lane: string | null
}

/** Makes the events of deliveries due again, except erased and leased events. */
export async function replayEvents(
  transaction: WriteTransaction,
  { deliveries, statuses, token, reprocess, destination }: ReplayRequest,
): Promise<readonly ReplayedRow[]> {
  const { db, at, lock } = transaction
  const replayable = sql`deliveries d join events e on ${sql.raw(eventsOfDelivery(...statuses))}
    where d.sequence in (${sql.join(deliveries)}) and e.erased = 0 and coalesce(e.lease_ends_at, 0) <= ${at}
    ${destination === undefined ? sql`` : sql`and e.destination = ${escapeText(destination)}`}`
  const lanes = await openLanesOf(transaction, replayable)
  const { rows } = await sql<EventRow>`
    select e.sequence, e.delivery, e.id, e.provider, e.status, e.replay_of, e.published_sequence, e.lane
    from ${replayable} order by e.sequence ${lock('for no key update of e')}`.execute(db)
  const events = rows.filter(isOfLanes(lanes))
  if (token === undefined) return await replayUnderSameIds(transaction, events, reprocess)
  const renamed = events.filter((event) => event.status === 'dead' && event.published_sequence === null)
  const copied = events.filter(isCopied)
  for (const [prefix, some] of byPrefix(renamed)) await rename(transaction, some, prefix, token)
  for (const [prefix, some] of byPrefix(copied)) await copy(transaction, some, prefix, token)
  return [...renamed, ...copied]
    .sort((a, b) => a.sequence - b.sequence)
    .map((event) => ({ delivery: event.delivery, id: replayId(event, token), ...fresh }))
}

/** Groups rows by their destination, which a new id keeps. */
const byPrefix = (events: readonly EventRow[]) => Map.groupBy(events, ({ id }) => readPrefix(id))

const fresh = { republished: false, handled: false } as const

/** A published event keeps its position and id, and a copy of the event is published. Copies are not copied again. */
const isCopied = (event: EventRow) =>
  event.status === 'published'
    ? event.replay_of === null || wasRenamed(event)
    : event.status === 'dead' && event.published_sequence !== null

async function replayUnderSameIds(
  { db, at }: WriteTransaction,
  events: readonly EventRow[],
  reprocess: boolean,
): Promise<readonly ReplayedRow[]> {
  const handled = new Set<string>()
  for (const some of splitIntoPortions(events)) {
    const sequences = sql.join(some.map(({ sequence }) => sequence))
    await sql`update events set status = 'pending', attempts = 0, since = ${at}, due_at = ${at}, lease = null,
        lease_ends_at = null, lane_place = ${placeAt(at)}
      where sequence in (${sequences})`.execute(db)
    const dead = sql`from notifications where event in (${sequences}) and status = 'dead'`
    await sql`update events set notification = 'waiting' where sequence in (select event ${dead})`.execute(db)
    await sql`delete ${dead}`.execute(db)
    const ids = some.map(({ id }) => id)
    for (const id of await findHandled(db, ids)) handled.add(id)
    if (reprocess) await forgetHandled(db, ids)
  }
  return events.map(({ delivery, id, published_sequence }) => ({
    delivery,
    id,
    republished: published_sequence !== null,
    handled: handled.has(id),
  }))
}

/** Gives new ids to dead letters that were never published. */
async function rename(
  { db, at }: WriteTransaction,
  events: readonly EventRow[],
  prefix: string,
  token: string,
): Promise<void> {
  for (const some of splitIntoPortions(events)) {
    const sequences = sql.join(some.map(({ sequence }) => sequence))
    await sql`update events set id = ${newId(prefix, token)}, replay_of = coalesce(replay_of, id), status = 'pending', attempts = 0, since = ${at}, due_at = ${at},
        lease = null, lease_ends_at = null, lane_place = ${placeAt(at)}
      where sequence in (${sequences})`.execute(db)
    await insertKeys(db, at, sequences)
  }
}

async function copy(
  { db, at }: WriteTransaction,
  events: readonly EventRow[],
  prefix: string,
  token: string,
): Promise<void> {
  for (const some of splitIntoPortions(events)) {
    const sequences = sql.join(some.map(({ sequence }) => sequence))
    const { rows: copies } = await sql<{ sequence: number }>`
      insert into events (delivery, provider, endpoint, received_at, id, name, subject, ts, data, data_body, manual, trace,
        route, notification, status, attempts, since, due_at, replay_of, lane, lane_place)
      select delivery, provider, endpoint, received_at, ${newId(prefix, token)}, name, subject, ts, data, data_body, manual, trace,
        route, case when notification is not null then 'waiting' end, 'pending', 0, cast(${at} as bigint), cast(${at} as bigint), coalesce(replay_of, id), lane,
        case when lane_place = sequence then 0 else ${placeAt(at)} end
      from events where sequence in (${sequences}) order by sequence
      returning sequence`.execute(db)
    const added = sql.join(copies.map(({ sequence }) => sequence))
    await sql`update events set lane_place = sequence where sequence in (${added}) and lane_place = 0`.execute(
      db,
    )
    await insertKeys(db, at, added)
    await sql`update events set status = 'published'
      where sequence in (${sequences}) and status = 'dead'`.execute(db)
  }
}

const insertKeys = (db: WriteTransaction['db'], at: number, sequences: RawBuilder<unknown>) =>
  sql`insert into idempotency_keys (scope, key, event, created_at)
    select 'event', id, sequence, cast(${at} as bigint) from events where sequence in (${sequences})`.execute(
    db,
  )

const newId = (prefix: string, token: string) =>
  sql`cast(${prefix} as text) || provider || ':replay:' || cast(${token} as text) || ':' || sequence`

/** Returns the same id as {@link newId}. */
const replayId = ({ id, provider, sequence }: EventRow, token: string) =>
  `${readPrefix(id)}${provider}:replay:${token}:${sequence}`

/**
 * Whether a replay has given a dead letter a new id. The id of a copy contains the sequence of its original instead.
 *
 * The first id of such an event requires a scan of all keys: an index by event would slow down every record.
 */
export const wasRenamed = ({
  sequence,
  id,
  provider,
}: Pick<EventRow, 'sequence' | 'id' | 'provider'>): boolean =>
  readRow(id).id.startsWith(`${provider}:replay:`) && id.endsWith(`:${sequence}`)
