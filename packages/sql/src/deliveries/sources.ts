import type { DeliveryFilter } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../internal/is-postgres.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { findAttempts, findNames } from './distinct-values.ts'
import { endpointTerms } from './endpoint-terms.ts'
import {
  attemptsTerms,
  conditionTerms,
  destinationTerms,
  errorTerms,
  hasConditions,
  listSubjects,
  nameTerms,
  plainTerm,
  subjectPrefixTerms,
  subjectTerms,
  type EventConditions,
} from './event-terms.ts'
import {
  eventBranches,
  eventlessStates,
  hasEvents,
  hasStatus,
  maxParts,
  selectDeliveries,
  selectEvents,
  withEvents,
  within,
  withoutEvents,
  type Bounds,
  type Branch,
  type MatchedStatus,
} from './matching.ts'
import { knownProviders } from './providers.ts'
import type { ValueHashes } from '../encryption/value-hashes.ts'
import { byValue, hashValue, hasValue } from './values.ts'

/** Selects some of the matching deliveries in order, as `received_at` and `sequence`, from a range of an index. */
export type Source = (bounds: Bounds, limit?: number) => RawBuilder<unknown>

/** A filter with the hashes of stored values; by default those without a key. */
export interface SearchFilter
  extends DeliveryFilter, Partial<Pick<ValueHashes, 'find'>>, Pick<EventConditions, 'findSubject'> {}

/** A filter without bounds, with stored texts where columns are compared. */
interface Conditions extends Omit<
  SearchFilter,
  'status' | 'outcome' | 'provider' | 'endpoint' | 'endpoints' | 'text' | keyof Bounds
> {
  readonly status: MatchedStatus
  readonly subjectPrefix?: string | undefined
  readonly provider?: string | undefined
  readonly endpoint?: string | undefined
  readonly endpoints?: readonly string[] | undefined
}

/**
 * Finds the sources that select all matching deliveries together. A delivery may be in several sources.
 *
 * @param isWalked selects the subjects of a text in the order of the list, not by their index
 */
export async function findSources(
  db: Kysely<InboxTables>,
  filter: SearchFilter,
  isWalked = false,
): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const one of splitText(filter)) sources.push(...(await findTextlessSources(db, one, isWalked)))
  return sources
}

/** A filter without a text. */
interface TextlessFilter extends Omit<SearchFilter, 'text'> {
  readonly subjectPrefix?: string
}

/** Splits a filter into the alternatives of its text: the start of a subject, two ids, and a value. */
function splitText({ text, ...filter }: SearchFilter): readonly TextlessFilter[] {
  if (text === undefined) return [filter]
  const alternatives: TextlessFilter[] = [{ ...filter, subjectPrefix: text }]
  for (const name of ['id', 'eventId', 'value'] as const)
    if ((filter[name] ?? text) === text) alternatives.push({ ...filter, [name]: text })
  return alternatives
}

async function findTextlessSources(
  db: Kysely<InboxTables>,
  filter: TextlessFilter,
  isWalked: boolean,
): Promise<readonly Source[]> {
  const status = combineStatus(filter)
  if (status === 'none') return []
  const conditions = toConditions(filter, status)
  const point = getPointTerms(conditions)
  if (point)
    return [(bounds, limit) => selectDeliveries(sql`${point}${deliveryTerms(conditions)}`, bounds, limit)]
  const { endpoint, endpoints, subject, value, error, minAttempts = 1 } = conditions
  if (value !== undefined) {
    const terms = sql`${byValue(findHashes(conditions, value))}${deliveryTerms(withoutValue(conditions))}`
    return [(bounds, limit) => selectDeliveries(terms, bounds, limit)]
  }
  const subjectPrefix = isWalked ? undefined : conditions.subjectPrefix
  if (error === undefined && subject !== undefined)
    return listSubjects(subject, conditions).flatMap((stored) =>
      getSubjectSources(subjectTerms(stored), conditions),
    )
  if (error === undefined && subjectPrefix !== undefined) {
    const [, ...sealed] = listSubjects(subjectPrefix, conditions)
    const indexed = [subjectPrefixTerms(subjectPrefix, isPostgres(db)), ...sealed.map(subjectTerms)]
    return indexed.flatMap((terms) => getSubjectSources(terms, conditions))
  }
  const isRare = error !== undefined || minAttempts > 1 || conditions.destination !== undefined
  if (endpoint !== undefined && !isRare) {
    const terms = sql` and e.endpoint = ${endpoint}${deliveryTerms({ ...conditions, endpoint: undefined })}`
    return [(bounds, limit) => selectDeliveries(terms, bounds, limit)]
  }
  if (endpoints !== undefined && !isRare) return getEndpointSources(endpoints, conditions)
  const { provider } = conditions
  const providers = provider === undefined ? await knownProviders(db) : [provider]
  const sources: Source[] = []
  for (const branch of eventBranches(status))
    sources.push(...(await findEventSources(db, branch, providers, conditions)))
  if (hasConditions(conditions)) return sources
  for (const state of eventlessStates(status))
    for (const one of providers) sources.push((bounds, limit) => withoutEvents(one, state, bounds, limit))
  return sources
}

/** Few endpoints are found by their index. Many have so many deliveries that the order of the list finds them. */
function getEndpointSources(endpoints: readonly string[], conditions: Conditions): readonly Source[] {
  if (endpoints.length > maxParts)
    return [(bounds, limit) => selectDeliveries(deliveryTerms(conditions), bounds, limit)]
  const terms = deliveryTerms({ ...conditions, endpoints: undefined })
  return endpoints.map(
    (one): Source =>
      (bounds, limit) =>
        selectDeliveries(sql` and e.endpoint = ${escapeText(one)}${terms}`, bounds, limit),
  )
}

const findHashes = (
  { find }: { readonly find?: SearchFilter['find'] | undefined },
  value: string,
): readonly bigint[] => find?.(value) ?? [hashValue(value)]

const withoutValue = (conditions: Conditions): Conditions => {
  const others: { -readonly [Name in keyof Conditions]: Conditions[Name] } = { ...conditions }
  delete others.value
  return others
}

/** Checks whether more than 10,000 subjects begin with a prefix. */
export async function isFrequentPrefix(db: Kysely<InboxTables>, prefix: string): Promise<boolean> {
  const maxSorted = 10_000
  const order = isPostgres(db) ? sql` using ~<~` : sql``
  // The order of the index lets PostgreSQL stop at the limit. It would otherwise read the whole range of the index.
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 as one from events e where true${subjectPrefixTerms(prefix, isPostgres(db))}
    order by substr(e.subject, 1, 200)${order} limit ${maxSorted + 1}) as found`.execute(db)
  return (rows[0]?.count ?? 0) > maxSorted
}

function toConditions(filter: TextlessFilter, status: MatchedStatus): Conditions {
  return {
    ...filter,
    status,
    provider: filter.provider === undefined ? undefined : escapeText(filter.provider),
    endpoint: filter.endpoint === undefined ? undefined : escapeText(filter.endpoint),
  }
}

/** Creates the terms of a filter on a delivery `e`. */
export function filterTerms(filter: SearchFilter): RawBuilder<unknown> {
  const alternatives = splitText(filter).map((one) => sql`(true${textlessTerms(one)})`)
  return sql` and (${sql.join(alternatives, sql` or `)})`
}

function textlessTerms(filter: TextlessFilter): RawBuilder<unknown> {
  const status = combineStatus(filter)
  if (status === 'none') return sql` and false`
  const conditions = toConditions(filter, status)
  const { receivedAfter, receivedBefore } = filter
  const bounds = within({ receivedAfter, receivedBefore }, 'e.sequence')
  return sql`${getPointTerms(conditions) ?? sql``}${deliveryTerms(conditions)}${bounds}`
}

/** Combines the status and the outcome; `none` if no delivery has both. */
export function combineStatus({
  status,
  outcome,
}: Pick<DeliveryFilter, 'status' | 'outcome'>): MatchedStatus | 'none' {
  if (outcome === undefined) return status
  if (status === undefined) return outcome
  return (status === 'quarantined') === (outcome === 'quarantined') ? status : 'none'
}

/** Creates the terms of an index that finds one delivery, or the deliveries with a reason. */
function getPointTerms(conditions: Conditions): RawBuilder<unknown> | undefined {
  const { id, eventId, reason } = conditions
  if (id !== undefined) return sql` and e.id = ${escapeText(id)}`
  if (eventId !== undefined) return byEventId(eventId, findHashes(conditions, eventId))
  if (reason === undefined) return undefined
  return sql` and e.quarantine_code = ${escapeText(reason)} and e.eventless = 'quarantined'`
}

/** An event that only destinations receive has no row with its id: the id is a value of its delivery. */
const byEventId = (eventId: string, hashes: readonly bigint[]): RawBuilder<unknown> => {
  const key = sql`select k.event from idempotency_keys k where k.scope = 'event' and k.key = ${escapeText(eventId)}`
  return sql` and e.sequence in (select x.delivery from events x where x.sequence = (${key})
    union all select v.sequence from (select e.sequence from deliveries e where not exists (${key})${byValue(hashes)}) as v)`
}

/** Creates the terms of all conditions on a delivery `e`, other than those of {@link getPointTerms}. */
function deliveryTerms(conditions: Conditions): RawBuilder<unknown> {
  const { status, provider, id, eventId, reason, value } = conditions
  const isReasonOpen = reason !== undefined && (id !== undefined || eventId !== undefined)
  const isEventOpen = eventId !== undefined && id !== undefined
  return sql`${isEventOpen ? byEventId(eventId, findHashes(conditions, eventId)) : sql``}${
    isReasonOpen ? getPointTerms({ status, reason }) : sql``
  }${plainTerm('e.provider', provider)}${endpointTerms('e.endpoint', conditions)}${hasStatus(status)}${
    value === undefined ? sql`` : hasValue(findHashes(conditions, value))
  }${hasConditions(conditions) ? hasMatchingEvent(status, conditions) : sql``}`
}

function hasMatchingEvent(status: MatchedStatus, conditions: EventConditions): RawBuilder<unknown> {
  const statuses = eventBranches(status).map((branch) => branch.status)
  return statuses.length === 0
    ? sql` and false`
    : sql` and ${hasEvents(statuses, conditionTerms('x', conditions))}`
}

/** Creates the sources of the events that the terms of the index of subjects apply to. */
function getSubjectSources(indexed: RawBuilder<unknown>, conditions: Conditions): readonly Source[] {
  const { status, provider } = conditions
  const terms = sql`${indexed}${plainTerm('e.provider', provider)}${endpointTerms('e.endpoint', conditions)}${conditionTerms('e', conditions)}`
  if (status === undefined || status === 'accepted')
    return [(bounds, limit) => selectEvents(terms, [], bounds, limit)]
  return eventBranches(status).map(
    (branch): Source =>
      (bounds, limit) =>
        selectEvents(sql`${terms}${plainTerm('e.status', branch.status)}`, branch.unless, bounds, limit),
  )
}

/** Finds the sources of the events with one status, by the index of the rarest condition. */
async function findEventSources(
  db: Kysely<InboxTables>,
  branch: Branch,
  providers: readonly string[],
  conditions: Conditions,
): Promise<readonly Source[]> {
  const { provider, kind, minAttempts = 1, error, destination } = conditions
  const { status, unless } = branch
  const terms = sql`${endpointTerms('e.endpoint', conditions)}${conditionTerms('e', conditions)}`
  const rest = sql`${plainTerm('e.provider', provider)}${terms}`
  const fromEvents =
    (indexed: RawBuilder<unknown>): Source =>
    (bounds, limit) =>
      selectEvents(sql`${indexed}${rest}`, unless, bounds, limit)

  if (error !== undefined) return status === 'published' ? [] : [fromEvents(errorTerms(status, error))]
  const failed = status === 'published' ? minAttempts - 1 : minAttempts
  if (conditions.minAttempts !== undefined && failed > 0)
    return (await findAttempts(db, status, failed)).map((one) => fromEvents(attemptsTerms(status, one)))
  if (destination !== undefined) return [fromEvents(destinationTerms(status, destination))]
  if (kind !== undefined && (status === 'published' || status === 'dead')) {
    const sources: Source[] = []
    for (const one of providers)
      for (const name of await findKindNames(db, status, one, kind))
        sources.push((bounds, limit) =>
          selectEvents(sql`${nameTerms(status, one, name)}${terms}`, unless, bounds, limit),
        )
    return sources
  }
  return providers.map(
    (one): Source =>
      (bounds, limit) =>
        withEvents(one, branch, bounds, limit, terms),
  )
}

async function findKindNames(
  db: Kysely<InboxTables>,
  status: 'published' | 'dead',
  provider: string,
  kind: string,
): Promise<readonly string[]> {
  if (!kind.endsWith('*')) return [`${provider}/${escapeText(kind)}`]
  return await findNames(db, status, provider, kind.slice(0, -1))
}
