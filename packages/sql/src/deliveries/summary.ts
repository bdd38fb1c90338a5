import type { BodyState, DeliveryStatus, DeliverySummary, EventStatus } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'
import { eventsOfDelivery } from './terms.ts'

interface SummaryRow extends Readonly<Record<EventStatus, number>> {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly received_at: number
  readonly body_bytes: number
  readonly eventless: 'quarantined' | 'resolved' | null
  readonly quarantine_reason: string | null
  readonly erased_at: number | null
  readonly stored: number
}

/** Reads the summaries of deliveries by sequence, in one statement. */
export async function readSummaries(
  db: Kysely<InboxTables>,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, DeliverySummary>> {
  if (sequences.length === 0) return new Map()
  const { rows } = await sql<SummaryRow>`
    select d.sequence, d.id, d.provider, d.received_at, d.body_bytes, d.eventless, d.quarantine_reason, d.erased_at,
      (select count(*) from delivery_bodies b where b.delivery = d.sequence) as stored,
      ${sql.join((['pending', 'queued', 'published', 'dead'] as const).map(countOf))}
    from deliveries d where d.sequence in (${sql.join(sequences)})`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toSummary(row)]))
}

/** Counts the events of a delivery `d` with a status, using the index. */
const countOf = (status: EventStatus) => sql`
  (select count(*) from events e where ${sql.raw(eventsOfDelivery(status))}) as ${sql.ref(status)}`

function toSummary(row: SummaryRow): DeliverySummary {
  const { pending, queued, published, dead } = row
  return {
    id: unescapeText(row.id),
    provider: unescapeText(row.provider),
    receivedAt: row.received_at,
    sequence: row.sequence,
    status: statusOf(row),
    ...(row.quarantine_reason !== null && toReason(unescapeText(row.quarantine_reason))),
    bodyState: bodyStateOf(row),
    bodyBytes: row.body_bytes,
    events: { pending, queued, published, dead },
  }
}

/** Splits the code and detail that `to-stored.ts` joins. A code contains no colon. */
function toReason(stored: string): Pick<DeliverySummary, 'reason' | 'reasonDetail'> {
  const end = stored.indexOf(': ')
  return end < 0 ? { reason: stored } : { reason: stored.slice(0, end), reasonDetail: stored.slice(end + 2) }
}

function statusOf({ eventless, pending, queued, dead }: SummaryRow): DeliveryStatus {
  if (eventless === 'quarantined') return 'quarantined'
  if (dead > 0) return 'dead'
  if (pending > 0) return 'pending'
  return queued > 0 ? 'queued' : 'published'
}

function bodyStateOf({ erased_at, stored }: SummaryRow): BodyState {
  if (erased_at !== null) return 'erased'
  return stored > 0 ? 'stored' : 'pruned'
}
