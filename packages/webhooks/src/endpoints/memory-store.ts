import { pageOf } from '@sallyport/internal/page-of'
import type { EndpointFilter, EndpointRecord, EndpointStore } from './store.ts'

interface Row {
  readonly endpoint: EndpointRecord
  readonly change: number
  readonly deletedAt?: number
}

/**
 * Creates a store of endpoints in the memory of the process, for tests. A restart loses everything.
 */
export function createMemoryEndpointStore(): EndpointStore {
  const rows = new Map<string, Row>()
  let position = 0

  const getCurrent = (id: string): EndpointRecord | undefined => {
    const row = rows.get(id)
    return row?.deletedAt === undefined ? row?.endpoint : undefined
  }
  const filter = (by: EndpointFilter) =>
    [...rows.keys()].flatMap((id) => getCurrent(id) ?? []).filter((endpoint) => matches(endpoint, by))

  return {
    async insert(endpoint, save) {
      if (rows.has(endpoint.id)) return false
      await save?.(undefined)
      // Another insert can use the id during save.
      if (rows.has(endpoint.id)) return false
      rows.set(endpoint.id, { endpoint, change: ++position })
      return true
    },
    get: (ids) => Promise.resolve([...new Set(ids)].flatMap((id) => getCurrent(id) ?? [])),
    async replace(endpoint, version, save) {
      const isCurrent = () => getCurrent(endpoint.id)?.version === version
      if (!isCurrent()) return false
      await save?.(undefined)
      if (!isCurrent()) return false
      rows.set(endpoint.id, { endpoint, change: ++position })
      return true
    },
    delete(id, version, deletedAt) {
      const endpoint = getCurrent(id)
      if (endpoint?.version !== version) return Promise.resolve(false)
      rows.set(id, { endpoint: { ...endpoint, secrets: [] }, change: ++position, deletedAt })
      return Promise.resolve(true)
    },
    list: (query) => Promise.resolve(pageOf(filter(query), 'createdAt', query)),
    count: (by) => Promise.resolve(filter(by).length),
    changes({ after, limit }) {
      if (after === undefined) return Promise.resolve({ position, ids: [] })
      const ids = [...rows].filter(([, { change }]) => change > after).map(([id]) => id)
      return Promise.resolve({ position, ids: ids.length > limit ? undefined : ids })
    },
    prune(before) {
      const expired = [...rows].filter(([, { deletedAt = Infinity }]) => deletedAt < before)
      for (const [id] of expired) rows.delete(id)
      return Promise.resolve(expired.length)
    },
  }
}

function matches(
  endpoint: EndpointRecord,
  { ids, provider, status, labels = {}, search, createdAfter }: EndpointFilter,
): boolean {
  return (
    (provider === undefined || endpoint.provider === provider) &&
    (status === undefined || endpoint.status === status) &&
    (ids === undefined || ids.includes(endpoint.id)) &&
    Object.entries(labels).every(([name, value]) => endpoint.labels[name] === value) &&
    (search === undefined || endpoint.name.toLowerCase().includes(search.toLowerCase())) &&
    (createdAfter === undefined || endpoint.createdAt > createdAfter)
  )
}
