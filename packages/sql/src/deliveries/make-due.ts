import type { DeliveryFilter, DispatcherInbox } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { readAwaitedTargets } from '../inbox/awaited-targets.ts'
import { escapeText } from '../internal/text.ts'
import { isOneOf } from './endpoint-terms.ts'
import { conditionTerms } from './event-terms.ts'
import { placeAt } from './lanes.ts'
import { within } from './matching.ts'
import { knownProviders } from './providers.ts'
import type { SearchFilter } from './sources.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/** The place of a pending event in the order of receipt. */
export interface PendingRow {
  readonly sequence: number
  readonly received_at: number
  readonly lane: string | null
}

type Selection = Omit<Parameters<NonNullable<DispatcherInbox['makeDue']>>[0], 'work'>

/**
 * Makes events due that wait for a retry, oldest first; skips events and lanes that another transaction has locked.
 *
 * @returns how many events became due
 */
export async function makeEventsDue(transaction: WriteTransaction, selection: Selection): Promise<number> {
  const { limit, target, filter = {} } = selection
  const { db, at } = transaction
  const oldest =
    target === undefined
      ? await findOldestPending(db, limit, filter, (provider) =>
          findWaiting(transaction, { provider }, selection),
        )
      : await findOldestOfTarget(transaction, target, selection)
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
  return sortByReceipt(found).slice(0, limit)
}

async function findOldestOfTarget(
  transaction: WriteTransaction,
  target: string,
  selection: Selection,
): Promise<readonly PendingRow[]> {
  const found: PendingRow[] = []
  for (const targets of await findAwaited(transaction.db, target))
    found.push(...(await findWaiting(transaction, { targets }, selection)))
  return sortByReceipt(found).slice(0, selection.limit)
}

const sortByReceipt = (rows: readonly PendingRow[]) =>
  rows.toSorted((a, b) => a.received_at - b.received_at || a.sequence - b.sequence)

/** The start of an index: the events of a provider, or those that wait for these destinations. */
type Part = { readonly provider: string } | { readonly targets: string }

/** Finds the oldest waiting events of a part in the order of its index, which has neither finished nor queued events. */
export async function findWaiting(
  { db, at, lock }: WriteTransaction,
  part: Part,
  { limit, route, filter = {} }: Selection,
): Promise<readonly PendingRow[]> {
  const isOfProvider = 'provider' in part
  // The plus prevents SQLite from using the index by attempts, which has another order.
  const ofProvider =
    filter.provider === undefined ? sql`` : sql` and e.provider = ${escapeText(filter.provider)}`
  const { rows } = await sql<PendingRow>`
    select e.sequence, e.received_at, e.lane from events e
    where ${isOfProvider ? sql`e.provider = ${part.provider}` : sql`e.awaited_targets = ${part.targets}${ofProvider}`}
      and e.status = 'pending' and +e.attempts > 0 and e.lease is null and e.due_at > ${at}
      ${route === undefined ? sql`` : sql`and e.route = ${route}`}${pendingTerms(filter)}
    order by ${isOfProvider ? sql`e.provider, e.status` : sql`e.awaited_targets`}, e.received_at, e.delivery
    limit ${limit} ${lock('for no key update skip locked')}`.execute(db)
  return rows
}

/** Lists the stored sets of destinations with this one. Skips through the index, so that the cost is per set. */
export async function findAwaited(db: WriteTransaction['db'], target: string): Promise<readonly string[]> {
  const next = (condition: RawBuilder<unknown>) => sql`(select e.awaited_targets from events e
        where ${condition} and e.status = 'pending' order by e.awaited_targets limit 1)`
  const { rows } = await sql<{ targets: string }>`
    with recursive sets (targets) as (
      select * from ${next(sql`e.awaited_targets is not null`)} first
      union all
      select ${next(sql`e.awaited_targets > known.targets`)} from sets known where known.targets is not null
    )
    select targets from sets where targets is not null`.execute(db)
  return rows.map(({ targets }) => targets).filter((targets) => readAwaitedTargets(targets).includes(target))
}

/** Makes notifications due that wait for a retry, in the order of the index of due work. */
export async function makeNotificationsDue(transaction: WriteTransaction, limit: number): Promise<number> {
  const { db, at } = transaction
  const waiting: WaitingNotification[] = []
  for (const provider of await knownProviders(db))
    waiting.push(...(await findWaitingNotifications(transaction, provider, limit)))
  const first = waiting.sort((a, b) => a.due_at - b.due_at || a.event - b.event).slice(0, limit)
  for (const some of splitIntoPortions(first))
    await sql`update notifications set due_at = case when since < ${at} then since else ${at} end
      where event in (${sql.join(some.map(({ event }) => event))})`.execute(db)
  return first.length
}

interface WaitingNotification {
  readonly event: number
  readonly due_at: number
}

export async function findWaitingNotifications(
  { db, at, lock }: WriteTransaction,
  provider: string,
  limit: number,
): Promise<readonly WaitingNotification[]> {
  const { rows } = await sql<WaitingNotification>`
    select n.event, n.due_at from notifications n
    where n.status = 'pending' and n.provider = ${provider} and coalesce(n.lease_ends_at, n.due_at) > ${at}
      and n.attempts > 0 and n.lease is null
    order by n.provider, coalesce(n.lease_ends_at, n.due_at), n.event
    limit ${limit} ${lock('for no key update skip locked')}`.execute(db)
  return rows
}

/** Creates the terms of a filter on a pending event `e`, apart from its provider. */
export function pendingTerms({
  id,
  eventId,
  endpoint,
  endpoints,
  receivedAfter,
  receivedBefore,
  text,
  ...conditions
}: SearchFilter): RawBuilder<unknown> {
  const { findSubject } = conditions
  const ofDelivery = id === undefined ? sql`` : sql` and ${hasDeliveryId(id)}`
  const ofKey = eventId === undefined ? sql`` : sql` and ${hasKey(eventId)}`
  const ofText =
    text === undefined
      ? sql``
      : sql` and (${hasDeliveryId(text)} or ${hasKey(text)} or (true${conditionTerms('e', { subjectPrefix: text, findSubject })}))`
  const ofEndpoint = endpoint === undefined ? sql`` : sql` and e.endpoint = ${escapeText(endpoint)}`
  const ofEndpoints = endpoints === undefined ? sql`` : sql` and ${isOneOf('e.endpoint', endpoints)}`
  const bounds = within({ receivedAfter, receivedBefore }, 'e.delivery')
  return sql`${ofDelivery}${ofKey}${ofText}${ofEndpoint}${ofEndpoints}${bounds}${conditionTerms('e', conditions)}`
}

const hasDeliveryId = (id: string): RawBuilder<unknown> =>
  sql`e.delivery = (select d.sequence from deliveries d where d.id = ${escapeText(id)})`

/**
 * Creates the term on a pending event `e` with an id, and on its rows for destinations. Skips through an index to find the names
 * of destinations, so that the cost is per name.
 */
const hasKey = (eventId: string): RawBuilder<unknown> => {
  const id = escapeText(eventId)
  const least = sql`select min(destination) from events where destination is not null`
  return sql`e.sequence in (
    with recursive known (name) as (
      ${least} union all select (${least} and destination > known.name) from known where known.name is not null
    )
    select k.event from idempotency_keys k where k.scope = 'event' and k.key = ${id}
    union all
    select k.event from known join idempotency_keys k on k.scope = 'event'
      and k.key = '>' || known.name || '/' || cast(${id} as text))`
}
