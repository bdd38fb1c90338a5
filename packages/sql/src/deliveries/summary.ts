import type { BodyState, DeliveryStatus, DeliverySummary, EventStatus } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Vault } from '../encryption/vault.ts'
import { showSubject } from '../inbox/event-row.ts'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'
import { allEvents, eventsOfDelivery } from './terms.ts'

interface SummaryRow extends Readonly<Record<EventStatus, number>> {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly endpoint: string | null
  readonly received_at: number
  readonly body_bytes: number
  readonly eventless: 'quarantined' | 'resolved' | null
  readonly quarantine_reason: string | null
  readonly erased_at: number | null
  readonly stored: number
  /** The name of the first event. */
  readonly name: string | null
  readonly subject: string | null
  readonly attempts: number | null
  readonly last_error: string | null
}

/** Reads the summaries of deliveries by sequence, in one statement. */
export async function readSummaries(
  db: Kysely<InboxTables>,
  sequences: readonly number[],
  vault: Vault,
): Promise<ReadonlyMap<number, DeliverySummary>> {
  if (sequences.length === 0) return new Map()
  const { rows } = await sql<SummaryRow>`
    select d.sequence, d.id, d.provider, d.endpoint, d.received_at, d.body_bytes, d.eventless, d.quarantine_reason, d.erased_at,
      (select count(*) from delivery_bodies b where b.delivery = d.sequence) as stored,
      ${sql.join((['pending', 'queued', 'published', 'dead'] as const).map(getCount))},
      f.name, f.subject,
      (select max(e.attempts + case e.status when 'published' then 1 else 0 end) from events e
        where ${sql.raw(allEvents)}) as attempts,
      (select e.last_error from events e
        where ${sql.raw(eventsOfDelivery('pending', 'queued', 'dead'))} and e.last_error is not null
        order by e.sequence desc limit 1) as last_error
    from deliveries d
    left join events f on f.sequence = (select min(e.sequence) from events e where ${sql.raw(allEvents)})
    where d.sequence in (${sql.join(sequences)})`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toSummary(row, vault)]))
}

/** Counts the events of a delivery `d` with a status, using the index. */
const getCount = (status: EventStatus) => sql`
  (select count(*) from events e where ${sql.raw(eventsOfDelivery(status))}) as ${sql.ref(status)}`

function toSummary(row: SummaryRow, vault: Vault): DeliverySummary {
  const { pending, queued, published, dead } = row
  return {
    id: unescapeText(row.id),
    provider: unescapeText(row.provider),
    ...(row.endpoint !== null && { endpoint: unescapeText(row.endpoint) }),
    receivedAt: row.received_at,
    sequence: row.sequence,
    status: getStatus(row),
    ...(row.quarantine_reason !== null && toReason(unescapeText(row.quarantine_reason))),
    bodyState: getBodyState(row),
    bodyBytes: row.body_bytes,
    ...(row.name !== null && { kind: toKind(unescapeText(row.name), unescapeText(row.provider)) }),
    ...(row.subject !== null && { subject: showSubject(row.subject, vault) }),
    attempts: row.attempts ?? 0,
    ...(row.last_error !== null && { lastError: unescapeText(row.last_error) }),
    events: { pending, queued, published, dead },
  }
}

/** Returns the name of an event without the provider. */
export const toKind = (name: string, provider: string): string =>
  name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name

/** Splits the code and detail that `to-stored.ts` joins. A code contains no colon. */
function toReason(stored: string): Pick<DeliverySummary, 'reason' | 'reasonDetail'> {
  const end = stored.indexOf(': ')
  return end < 0 ? { reason: stored } : { reason: stored.slice(0, end), reasonDetail: stored.slice(end + 2) }
}

function getStatus({ eventless, pending, queued, dead }: SummaryRow): DeliveryStatus {
  if (eventless === 'quarantined') return 'quarantined'
  if (dead > 0) return 'dead'
  if (pending > 0) return 'pending'
  return queued > 0 ? 'queued' : 'published'
}

function getBodyState({ erased_at, stored }: SummaryRow): BodyState {
  if (erased_at !== null) return 'erased'
  return stored > 0 ? 'stored' : 'pruned'
}
