import type { LaneChange } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { endWithoutAttempt } from './end-without-attempt.ts'
import { placeAt, reserveLanes } from './lanes.ts'
import type { WriteTransaction } from './transaction.ts'

interface EventRow {
  readonly sequence: number
  readonly id: string
}

/** Pauses a lane, also one without open events. Returns whether the lane was not paused. */
export async function pauseLane({ db, at }: WriteTransaction, name: string): Promise<boolean> {
  const { rows } = await sql`
    insert into lanes (name, ordered, due_at, since, attempts, paused_at)
    values (${name}, 1, ${at}, ${at}, 0, ${at})
    on conflict (name) do update set paused_at = excluded.paused_at, version = lanes.version + 1
    where lanes.paused_at is null
    returning name`.execute(db)
  return rows.length > 0
}

/** Resumes a lane; the next claim deletes the row of a lane without open events. */
export async function resumeLane({ db, at }: WriteTransaction, name: string): Promise<boolean> {
  const { rows } = await sql`
    update lanes set paused_at = null, due_at = ${at}, version = version + 1
    where name = ${name} and paused_at is not null
    returning name`.execute(db)
  return rows.length > 0
}

/** Makes the event with an id a dead letter if it is the first open event of a lane. */
export async function skipFirst(
  transaction: WriteTransaction,
  name: string,
  event: string,
): Promise<LaneChange> {
  return await changeFirst(transaction, name, 1, async (events) => {
    const chosen = events.filter(({ id }) => id === event)
    await endWithoutAttempt(transaction, chosen, 'Skipped by an operator')
    return chosen.length
  })
}

/** Makes the first open events of a lane dead letters. */
export async function cancelFirst(
  transaction: WriteTransaction,
  name: string,
  limit: number,
): Promise<LaneChange> {
  return await changeFirst(transaction, name, limit, async (events) => {
    await endWithoutAttempt(transaction, events, 'Cancelled by an operator')
    return events.length
  })
}

/** Makes the first open event of a lane due; its attempts and its back-off stay. */
export async function retryFirst(transaction: WriteTransaction, name: string): Promise<LaneChange> {
  const { db, at } = transaction
  return await changeFirst(transaction, name, 1, async (events) => {
    await sql`update events set due_at = ${at}, lane_place = ${placeAt(at)}
      where sequence in (${sql.join(events.map(({ sequence }) => sequence))})`.execute(db)
    return events.length
  })
}

/** Changes the first open events of a lane under the lock of its row. A lane under a lease is reserved instead. */
async function changeFirst(
  transaction: WriteTransaction,
  name: string,
  limit: number,
  change: (events: readonly EventRow[]) => Promise<number>,
): Promise<LaneChange> {
  const { db, at, lock } = transaction
  const lanes = await sql<{ lease: string | null; lease_ends_at: number | null }>`
    select lease, lease_ends_at from lanes where name = ${name} ${lock('for no key update')}`.execute(db)
  const [lane] = lanes.rows
  if (lane === undefined) return { events: 0, isBusy: false }
  if (lane.lease !== null && (lane.lease_ends_at ?? 0) > at) {
    await reserveLanes(transaction, [name])
    return { events: 0, isBusy: true }
  }
  const first = sql`from events where lane = ${name} and status = 'pending' order by lane_place, sequence`
  const { rows: events } = await sql<EventRow>`select sequence, id ${first} limit ${limit}`.execute(db)
  const changed = events.length === 0 ? 0 : await change(events)
  // The next claim deletes the row of a lane without open events.
  await sql`update lanes set due_at = ${at}, lease = null, lease_ends_at = null, reserved_until = null, version = version + 1,
      since = coalesce((select since ${first} limit 1), ${at}),
      attempts = coalesce((select attempts ${first} limit 1), 0)
    where name = ${name}`.execute(db)
  return { events: changed, isBusy: false }
}
