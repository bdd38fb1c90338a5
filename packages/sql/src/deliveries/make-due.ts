import type { DeliveryFilter, Route } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { escapeText } from '../internal/text.ts'
import { conditionTerms } from './event-terms.ts'
import { within } from './matching.ts'
import { knownProviders } from './providers.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/** The place of a pending event in the order of receipt. */
export interface PendingRow {
  readonly sequence: number
  readonly received_at: number
}

/**
 * Makes events due that wait for a retry, oldest first; skips events that another transaction has locked.
 *
 * @returns how many events became due
 */
export async function makeEventsDue(
  transaction: WriteTransaction,
  limit: number,
  route: Route | undefined,
  filter: DeliveryFilter = {},
): Promise<number> {
  const { db, at } = transaction
  const oldest = await findOldestPending(db, limit, filter, (provider) =>
    findWaiting(transaction, provider, limit, route, filter),
  )
  for (const some of splitIntoPortions(oldest))
    await sql`update events set due_at = case when since < ${at} then since else ${at} end
      where sequence in (${sql.join(some.map(({ sequence }) => sequence))})`.execute(db)
  return oldest.length
}

/** Finds the oldest pending events of all providers of a filter, from the oldest ones of each provider. */
export async function findOldestPending(
  db: WriteTransaction['db'],
  limit: number,
  { status = 'pending', outcome, reason, provider: wanted }: DeliveryFilter,
  findOfProvider: (provider: string) => Promise<readonly PendingRow[]>,
): Promise<readonly PendingRow[]> {
  if (status !== 'pending' || outcome === 'quarantined' || reason !== undefined) return []
  const found: PendingRow[] = []
  const providers = wanted === undefined ? await knownProviders(db) : [escapeText(wanted)]
  for (const provider of providers) found.push(...(await findOfProvider(provider)))
  return found.sort((a, b) => a.received_at - b.received_at || a.sequence - b.sequence).slice(0, limit)
}

/** Finds the oldest waiting events of a provider in the order of an index, which has neither finished nor queued events. */
export async function findWaiting(
  { db, at, lock }: WriteTransaction,
  provider: string,
  limit: number,
  route: Route | undefined,
  filter: DeliveryFilter = {},
): Promise<readonly PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select e.sequence, e.received_at from events e
    where e.provider = ${provider} and e.status = 'pending' and e.attempts > 0 and e.lease is null and e.due_at > ${at}
      ${route === undefined ? sql`` : sql`and e.route = ${route}`}${pendingTerms(filter)}
    order by e.provider, e.status, e.received_at, e.delivery limit ${limit} ${lock('for no key update skip locked')}`.execute(
    db,
  )
  return rows
}

/** Creates the terms of a filter on a pending event `e`, apart from its provider. */
export function pendingTerms({
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
