import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { SettleResult } from '../inbox/inbox.ts'
import { collectSent } from '../inbox/sent-notifications.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { settleWork, type SettleItem } from './settle.ts'

/**
 * The part of a statement that gives the notifications of `taken` batches their own rows, under the lease of the batch. A
 * notification that has a row keeps it.
 */
const splitCte = (condition: RawBuilder<boolean>) => sql`
    split as (
      insert into notifications (event, provider, status, attempts, since, due_at, lease, lease_ends_at)
      select e.sequence, e.provider, 'pending', 0, taken.since, taken.since, taken.lease, taken.lease_ends_at
      from taken join events e on e.published_sequence between taken.first and taken.last and e.notification = 'sent'
      where ${condition}
      on conflict (event) do nothing
    )`

/** Settles notifications. A batch whose notifications are all sent ends; those of other batches get their own rows first. */
export async function settleNotifications(
  db: Kysely<InboxTables>,
  clock: Clock,
  items: readonly SettleItem[],
): Promise<readonly SettleResult[]> {
  const sent = collectSent(items.map(({ settlement }) => settlement))
  const ended = await endBatches(db, sent)
  const isEnded = ({ settlement }: SettleItem) => ended.has(settlement.lease)
  const others = items.filter((item) => !isEnded(item))
  const results = others.length > 0 ? await settleWork(db, clock, 'notify', others) : []
  const rest = results.values()
  return items.map((item) => {
    const { id, lease } = item.settlement
    if (!isEnded(item)) return rest.next().value ?? 'lost'
    return sent.get(lease)?.delete(id) === true ? 'settled' : 'lost'
  })
}

async function endBatches(
  db: Kysely<InboxTables>,
  sent: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ lease: string }>`${prepared}
    with taken as (
      delete from notification_batches b
      using unnest(${[...sent.keys()]}::text[], ${Array.from(sent.values(), ({ size }) => size)}::int[]) as s (lease, sent)
      where b.lease = s.lease
      returning b.*, s.sent = b.events as is_sent
    ),
    ${splitCte(sql`not taken.is_sent`)}
    select lease from taken where is_sent`.execute(db)
  return new Set(rows.map(({ lease }) => lease))
}

/** Gives the notifications of batches whose leases have ended their own rows; after the clock was set back, those of later ones too. */
export async function splitExpiredBatches(db: Kysely<InboxTables>, clock: Clock): Promise<void> {
  await sql`
    with present as materialized (select ${clock()} as at),
    taken as (
      delete from notification_batches b using present where b.lease_ends_at <= at or b.since > at returning b.*
    ),
    ${splitCte(sql`true`)}
    select from taken limit 0`.execute(db)
}
