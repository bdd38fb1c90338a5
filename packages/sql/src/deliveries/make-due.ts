import type { DeliveryFilter, Route } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { escapeText } from '../internal/text.ts'
import { conditionTerms } from './event-terms.ts'
import { placeAt } from './lanes.ts'
import { within } from './matching.ts'
import { knownProviders } from './providers.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

interface WaitingRow {
  readonly sequence: number
  readonly received_at: number
  readonly lane: string | null
}

/**
 * Makes events due that wait for a retry, oldest first; skips events and lanes that another transaction has locked.
 *
 * @returns how many events became due
 */
export async function makeEventsDue(
  transaction: WriteTransaction,
  limit: number,
  route: Route | undefined,
  filter: DeliveryFilter = {},
): Promise<number> {
  const { status = 'pending', outcome, reason, provider: wanted } = filter
  if (status !== 'pending' || outcome === 'quarantined' || reason !== undefined) return 0
  const { db, at } = transaction
  const waiting: WaitingRow[] = []
  const providers = wanted === undefined ? await knownProviders(db) : [escapeText(wanted)]
  for (const provider of providers)
    waiting.push(...(await findWaiting(transaction, provider, limit, route, filter)))
  const oldest = waiting
    .sort((a, b) => a.received_at - b.received_at || a.sequence - b.sequence)
    .slice(0, limit)
  let count = 0
  for (const some of splitIntoPortions(oldest)) {
    const lanes = some.flatMap(({ lane }) => lane ?? [])
    const free = new Set(lanes.length === 0 ? [] : await openFreeLanes(transaction, lanes))
    const due = some.filter(({ lane }) => lane === null || free.has(lane)).map(({ sequence }) => sequence)
    if (due.length === 0) continue
    const dueAt = sql<number>`case when since < ${at} then since else ${at} end`
    await sql`update events set due_at = ${dueAt}, lane_place = ${placeAt(dueAt)}
      where sequence in (${sql.join(due)})`.execute(db)
    count += due.length
  }
  return count
}

/** Makes the lanes due that have no lease, and returns their names. */
async function openFreeLanes(
  { db, at, lock }: WriteTransaction,
  names: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    update lanes set due_at = ${at}, version = version + 1 where name in (
      select name from lanes where name in (${sql.join(names)}) and lease is null ${lock('for no key update skip locked')})
    returning name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Finds the oldest waiting events of a provider in the order of an index, which has neither finished nor queued events. */
export async function findWaiting(
  { db, at, lock }: WriteTransaction,
  provider: string,
  limit: number,
  route: Route | undefined,
  filter: DeliveryFilter = {},
): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select e.sequence, e.received_at, e.lane from events e
    where e.provider = ${provider} and e.status = 'pending' and e.attempts > 0 and e.lease is null and e.due_at > ${at}
      ${route === undefined ? sql`` : sql`and e.route = ${route}`}${eventTerms(filter)}
    order by e.provider, e.status, e.received_at, e.delivery limit ${limit} ${lock('for no key update skip locked')}`.execute(
    db,
  )
  return rows
}

/** Creates the terms of a filter on a pending event `e`, apart from its provider. */
function eventTerms({
  id,
  eventId,
  endpoint,
  receivedAfter,
  receivedBefore,
  text,
  ...conditions
}: DeliveryFilter): RawBuilder<unknown> {
  const ofDelivery = id === undefined ? sql`` : sql` and ${hasDeliveryId(id)}`
  const ofKey = eventId === undefined ? sql`` : sql` and ${hasKey(eventId)}`
  const ofText =
    text === undefined
      ? sql``
      : sql` and (${hasDeliveryId(text)} or ${hasKey(text)} or (true${conditionTerms('e', { subjectPrefix: text })}))`
  const ofEndpoint = endpoint === undefined ? sql`` : sql` and e.endpoint = ${escapeText(endpoint)}`
  const bounds = within({ receivedAfter, receivedBefore }, 'e.delivery')
  return sql`${ofDelivery}${ofKey}${ofText}${ofEndpoint}${bounds}${conditionTerms('e', conditions)}`
}

const hasDeliveryId = (id: string): RawBuilder<unknown> =>
  sql`e.delivery = (select d.sequence from deliveries d where d.id = ${escapeText(id)})`

const hasKey = (eventId: string): RawBuilder<unknown> =>
  sql`e.sequence = (select k.event from idempotency_keys k where k.scope = 'event' and k.key = ${escapeText(eventId)})`
