import { pageOf } from '@sallyport/internal/page-of'
import {
  noProgress,
  type SubscriptionFilter,
  type SubscriptionRecord,
  type SubscriptionStore,
} from './store.ts'

interface Entry {
  record: SubscriptionRecord
  dueAt: number
  lease: { readonly token: string; readonly endsAt: number } | undefined
}

/**
 * Creates a store of subscriptions in the memory of the process, for tests. After a restart, subscriptions are found at the
 * services again.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemorySubscriptionStore(now: () => number = Date.now): SubscriptionStore {
  const entries = new Map<string, Entry>()
  const findHeld = (id: string, token: string): Entry | undefined => {
    const entry = entries.get(id)
    return entry?.lease?.token === token ? entry : undefined
  }
  const select = (filter: SubscriptionFilter) =>
    [...entries.values()].map(({ record }) => record).filter((record) => matches(record, filter))

  return {
    insert(target) {
      if (entries.has(target.id)) return Promise.resolve(false)
      const createdAt = now()
      const record = { ...target, isRemoving: false, revision: 0, progress: noProgress, createdAt }
      entries.set(target.id, { record, dueAt: createdAt, lease: undefined })
      return Promise.resolve(true)
    },
    get: (id) => Promise.resolve(entries.get(id)?.record),
    list: (query) => Promise.resolve(pageOf(select(query), 'createdAt', query)),
    count: (filter = {}) => Promise.resolve(select(filter).length),
    change(which, { isRemoving, target } = {}) {
      const changed = [...entries.values()].filter(({ record }) =>
        'id' in which ? record.id === which.id : record.endpoint === which.endpoint,
      )
      for (const entry of changed) {
        const { record } = entry
        entry.record = {
          ...record,
          ...target,
          isRemoving: isRemoving ?? record.isRemoving,
          revision: record.revision + 1,
        }
        entry.dueAt = now()
      }
      return Promise.resolve(changed.length)
    },
    claim({ token, leaseMs, limit, endpoint }) {
      const at = now()
      const due = [...entries.values()]
        .filter(({ dueAt, lease, record }) => {
          const isFree = lease === undefined || lease.endsAt <= at
          return isFree && dueAt <= at && (endpoint === undefined || record.endpoint === endpoint)
        })
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit)
      for (const entry of due) entry.lease = { token, endsAt: at + leaseMs }
      return Promise.resolve(due.map(({ record }) => record))
    },
    save({ id, revision }, token, progress, dueMs) {
      const entry = findHeld(id, token)
      if (entry === undefined) return Promise.resolve(false)
      entry.lease = undefined
      if (entry.record.revision === revision) entry.dueAt = now() + dueMs
      entry.record = { ...entry.record, progress }
      return Promise.resolve(true)
    },
    delete({ id, revision }, token) {
      const entry = findHeld(id, token)
      if (entry) entry.lease = undefined
      return Promise.resolve(entry?.record.revision === revision && entries.delete(id))
    },
  }
}

function matches(
  { endpoint, service, progress, isDeclared }: SubscriptionRecord,
  { endpoints, service: named, minFailures = 0, isDeclared: declared }: SubscriptionFilter,
): boolean {
  return (
    (endpoints === undefined || (endpoint !== undefined && endpoints.includes(endpoint))) &&
    (named === undefined || named === service) &&
    progress.failures >= minFailures &&
    (declared === undefined || declared === isDeclared)
  )
}
