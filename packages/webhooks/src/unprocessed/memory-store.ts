import type {
  UnprocessedDelivery,
  UnprocessedFilter,
  UnprocessedPosition,
  UnprocessedRecord,
  UnprocessedStore,
} from './store.ts'

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
    get: (id) => Promise.resolve(records.get(id)),
    list({ order = 'newest', after, offset = 0, limit, ...by }) {
      const compare = (one: UnprocessedPosition, other: UnprocessedPosition) =>
        comparePositions(one, other) * (order === 'newest' ? -1 : 1)
      const found = filter(by).filter((record) => after === undefined || compare(record, after) > 0)
      return Promise.resolve(
        found
          .sort(compare)
          .slice(offset, offset + limit)
          .map(toSummary),
      )
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
      for (const outcome of ['ignored', 'refused'] as const) {
        let kept = 0
        let keptBytes = 0
        for (const record of sortFairly(filter({ outcome }))) {
          kept++
          keptBytes += record.storedBytes
          if (record.receivedAt < before || kept > deliveries || keptBytes > bytes) records.delete(record.id)
        }
      }
      return Promise.resolve(size - records.size)
    },
  }
}

/** Sorts deliveries by the bytes that newer deliveries of the same client use, so that no client evicts another. */
function sortFairly(records: readonly UnprocessedRecord[]): readonly UnprocessedRecord[] {
  const used = new Map<string, number>()
  return records
    .toSorted((one, other) => comparePositions(other, one))
    .map((record) => {
      const client = record.client ?? JSON.stringify([record.provider, record.endpoint])
      const share = (used.get(client) ?? 0) + record.storedBytes
      used.set(client, share)
      return { record, share }
    })
    .sort((one, other) => one.share - other.share)
    .map(({ record }) => record)
}

const comparePositions = (one: UnprocessedPosition, other: UnprocessedPosition): number =>
  one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : Number(one.id > other.id))

function matches(
  record: UnprocessedRecord,
  { receivedAfter = -Infinity, receivedBefore = Infinity, ...members }: UnprocessedFilter,
): boolean {
  const { receivedAt } = record
  if (receivedAt <= receivedAfter || receivedAt >= receivedBefore) return false
  const found: Readonly<Record<string, unknown>> = { ...record }
  return Object.entries(members).every(
    ([name, value]) => (value as unknown) === undefined || found[name] === value,
  )
}

function toSummary(record: UnprocessedRecord): UnprocessedDelivery {
  const contents: readonly string[] = ['headers', 'body', 'client', 'proof', 'storedBytes']
  const members = Object.entries(record).filter(([name]) => !contents.includes(name))
  return Object.fromEntries(members) as unknown as UnprocessedDelivery
}
