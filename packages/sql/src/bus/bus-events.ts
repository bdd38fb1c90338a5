import type { InternalEvent } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { toShownEvent } from '../inbox/event-row.ts'
import type { BusEventsTable, InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'
import { readEvent } from '../internal/event-json.ts'

interface BusRow extends Omit<BusEventsTable, 'sequence'> {
  readonly sequence: number
}

/** Reads the events of the rows. An event whose JSON is unreadable is returned without data, as the inbox stores it. */
export async function readBusEvents(
  db: Kysely<InboxTables>,
  rows: readonly BusRow[],
): Promise<{ readonly sequence: number; readonly event: InternalEvent }[]> {
  const events: { readonly sequence: number; readonly event: InternalEvent }[] = []
  for (const row of rows)
    events.push({ sequence: row.sequence, event: readEvent(row.event) ?? (await withoutItsRow(db, row)) })
  return events
}

/** Returns an event without its data, or only its id when the inbox does not have the event. */
async function withoutItsRow(db: Kysely<InboxTables>, { id, published_at }: BusRow): Promise<InternalEvent> {
  const known = await db
    .selectFrom('idempotency_keys as k')
    .innerJoin('events as e', 'e.sequence', 'k.event')
    .innerJoin('deliveries as d', 'd.sequence', 'e.delivery')
    .select(['e.id', 'e.name', 'e.subject', 'e.ts', 'e.manual', 'e.trace'])
    .select(['d.id as delivery', 'd.provider', 'd.received_at'])
    .where('k.scope', '=', 'event')
    .where('k.key', '=', id)
    .whereRef('e.id', '=', 'k.key')
    .executeTakeFirst()
  if (known !== undefined) return toShownEvent({ ...known, data: null })
  const source = { provider: '', deliveryId: '', receivedAt: published_at }
  return { id: unescapeText(id), name: '', subject: '', ts: published_at, data: undefined, source }
}
