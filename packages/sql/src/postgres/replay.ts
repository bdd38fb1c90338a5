import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { ReplayedRow, ReplayRequest } from '../inbox/inbox.ts'
import type { InboxTables } from '../internal/tables.ts'
import { waitForDisk } from './durable.ts'

/** Makes the events of deliveries due again, in one statement. */
export async function replayEvents(
  db: Kysely<InboxTables>,
  clock: Clock,
  { deliveries, statuses, token }: ReplayRequest,
): Promise<readonly ReplayedRow[]> {
  const { rows } = await sql<ReplayedRow>`
    with present as materialized (select ${clock()} as at, ${waitForDisk}),
    chosen as materialized (
      select e.sequence, e.delivery, e.id, e.provider, e.status, e.replay_of, e.published_sequence
      from deliveries d join events e on e.provider = d.provider and e.status = any(${statuses}::text[])
        and e.received_at = d.received_at and e.delivery = d.sequence
      where d.sequence = any(${deliveries}::bigint[]) and e.erased = 0
        and coalesce(e.lease_ends_at, 0) <= (select at from present)
      order by e.sequence for no key update of e
    ),
    ${token === undefined ? sameIds : freshIds(token)}
    select delivery, id, republished from replayed order by sequence`.execute(db)
  return rows
}

const sameIds = sql`
    replayed as (select delivery, id, sequence, published_sequence is not null as republished from chosen),
    again as (
      update events w set status = 'pending', attempts = 0, since = at, due_at = at, lease = null,
        lease_ends_at = null
      from chosen, present where w.sequence = chosen.sequence
    ),
    owed_again as (
      update notifications n set status = 'waiting', attempts = 0
      from chosen where n.event = chosen.sequence and n.status = 'dead'
    )`

/**
 * A published event keeps its position and id, and a copy is published; a dead letter that was never published gets a
 * new id.
 */
const freshIds = (token: string) => sql`
    renamed as materialized (
      select chosen.*, provider || ':replay:' || ${token}::text || ':' || sequence as fresh_id
      from chosen where status = 'dead' and published_sequence is null
    ),
    copied as materialized (
      select chosen.*, provider || ':replay:' || ${token}::text || ':' || sequence as fresh_id,
        nextval('events_sequence_seq') as fresh_sequence
      from chosen where (status = 'published' and replay_of is null)
        or (status = 'dead' and published_sequence is not null)
    ),
    keys as (
      insert into idempotency_keys (scope, key, event, created_at)
      select 'event', fresh_id, sequence, at from renamed, present
      union all select 'event', fresh_id, fresh_sequence, at from copied, present
    ),
    again as (
      update events w set id = fresh_id, status = 'pending', attempts = 0, since = at, due_at = at
      from renamed, present where w.sequence = renamed.sequence
    ),
    owed_again as (
      update notifications n set status = 'waiting', attempts = 0, lease = null, lease_ends_at = null
      from renamed where n.event = renamed.sequence
    ),
    restored as (
      update events w set status = 'published' from copied where w.sequence = copied.sequence and copied.status = 'dead'
    ),
    copies as (
      insert into events (sequence, delivery, provider, received_at, id, name, subject, ts, data, manual, trace, route,
        status, attempts, since, due_at, replay_of)
      select fresh_sequence, e.delivery, e.provider, e.received_at, fresh_id, name, subject, ts, data, manual, trace, route,
        'pending', 0, at, at, coalesce(e.replay_of, e.sequence)
      from copied join events e using (sequence), present
    ),
    owed as (
      insert into notifications (event, provider, status, attempts, since, due_at)
      select fresh_sequence, n.provider, 'waiting', 0, at, at
      from copied join notifications n on n.event = copied.sequence, present
    ),
    replayed as (
      select delivery, fresh_id as id, sequence, false as republished from renamed
      union all select delivery, fresh_id, sequence, false from copied
    )`
