import { pageOf } from '@sallyport/internal/page-of'
import { isOfEndpoint } from '../ports/of-endpoint.ts'
import type { UnprocessedDelivery, UnprocessedFilter, UnprocessedRecord, UnprocessedStore } from './store.ts'

/**
 * Creates a store of ignored and refused deliveries in the memory of the process. A restart loses everything.
 */
export function createMemoryUnprocessedStore(): UnprocessedStore {
  const records = new Map<string, UnprocessedRecord>()
  const filter = (by: UnprocessedFilter) => [...records.values()].filter((record) => matches(record, by))

  return {
    add(added) {
      for (const record of added) records.set(record.id, record)
      return Promise.resolve()
    },
    get(id) {
      const record = records.get(id)
      return Promise.resolve(record && { ...record, values: undefined })
    },
    list({ order, after, offset, limit, ...by }) {
      const page = pageOf(filter(by), 'receivedAt', { order, after, offset, limit })
      return Promise.resolve(page.map(toSummary))
    },
    count: (by) => Promise.resolve(filter(by).length),
    delete: (id) => Promise.resolve(records.delete(id)),
    erase(by, { limit }) {
      const erased = filter(by).slice(0, limit)
      for (const { id } of erased) records.delete(id)
      return Promise.resolve(erased.length)
    },
    prune({ before, deliveries, bytes }) {
      const size = records.size
      for (const { id, receivedAt } of records.values()) if (receivedAt < before) records.delete(id)
      for (const outcome of ['ignored', 'refused'] as const) {
        for (const id of findBeyond(filter({ outcome }), () => 1, deliveries)) records.delete(id)
        for (const id of findBeyond(filter({ outcome }), ({ storedBytes }) => storedBytes, bytes))
          records.delete(id)
      }
      return Promise.resolve(size - records.size)
    },
  }
}

type Weigh = (record: UnprocessedRecord) => number

/** Finds the deliveries beyond a limit. The largest client of the largest provider or endpoint loses its oldest ones first. */
function findBeyond(records: readonly UnprocessedRecord[], weigh: Weigh, limit: number): readonly string[] {
  const newest = pageOf(records, 'receivedAt', { limit: Infinity })
  const ofClients = sortByShare(newest, weigh, ({ provider, endpoint, client }) => [
    provider,
    endpoint,
    client,
  ])
  const ofTargets = sortByShare(ofClients, weigh, ({ provider, endpoint }) => [provider, endpoint])
  let total = 0
  return ofTargets.filter((record) => (total += weigh(record)) > limit).map(({ id }) => id)
}

/** Sorts deliveries by what those before them in the same group and they themselves take. */
function sortByShare(
  records: readonly UnprocessedRecord[],
  weigh: Weigh,
  getGroup: (record: UnprocessedRecord) => readonly unknown[],
): readonly UnprocessedRecord[] {
  const used = new Map<string, number>()
  return records
    .map((record) => {
      const group = JSON.stringify(getGroup(record))
      const share = (used.get(group) ?? 0) + weigh(record)
      used.set(group, share)
      return { record, share }
    })
    .sort((one, other) => one.share - other.share)
    .map(({ record }) => record)
}

function matches(
  { values = [], ...record }: UnprocessedRecord,
  {
    receivedAfter = -Infinity,
    receivedBefore = Infinity,
    value,
    endpoint,
    endpoints,
    ...members
  }: UnprocessedFilter,
): boolean {
  const { receivedAt } = record
  if (value !== undefined && !values.includes(value)) return false
  if (
    !isOfEndpoint(record.endpoint, {
      ...(endpoint !== undefined && { endpoint }),
      ...(endpoints && { endpoints }),
    })
  )
    return false
  if (receivedAt <= receivedAfter || receivedAt >= receivedBefore) return false
  const found: Readonly<Record<string, unknown>> = { ...record }
  return Object.entries(members).every(
    ([name, value]) => (value as unknown) === undefined || found[name] === value,
  )
}

function toSummary(record: UnprocessedRecord): UnprocessedDelivery {
  const contents: readonly string[] = ['headers', 'body', 'client', 'proof', 'storedBytes', 'values']
  const members = Object.entries(record).filter(([name]) => !contents.includes(name))
  return Object.fromEntries(members) as unknown as UnprocessedDelivery
}
