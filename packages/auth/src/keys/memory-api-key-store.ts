import { pageOf } from '@sallyport/internal/page-of'
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts'

/**
 * Creates a store of API keys in the memory of one process, for tests. A restart loses everything.
 *
 * @example
 * ```ts
 * import { createApiKeys, createMemoryApiKeyStore } from '@sallyport/auth'
 *
 * const keys = createApiKeys({ store: createMemoryApiKeyStore(), getOwner: (id) => ({ id }) })
 * ```
 */
export function createMemoryApiKeyStore(): ApiKeyStore {
  const keys = new Map<string, ApiKeyRecord>()

  return {
    insert(key) {
      if (keys.has(key.id)) return Promise.reject(new Error('A key with this id exists already'))
      if (key.parentId !== null && !keys.has(key.parentId)) return Promise.resolve(false)
      keys.set(key.id, key)
      return Promise.resolve(true)
    },
    get: (id) => Promise.resolve(keys.get(id)),
    list: (query) => Promise.resolve(pageOf([...keys.values()], 'createdAt', query)),
    count: () => Promise.resolve(keys.size),
    delete(id) {
      const deleted = new Set(keys.has(id) ? [id] : [])
      // A set visits the members that are added during its iteration.
      for (const parent of deleted) {
        keys.delete(parent)
        for (const key of keys.values()) if (key.parentId === parent) deleted.add(key.id)
      }
      return Promise.resolve([...deleted])
    },
    touch(id, at) {
      const key = keys.get(id)
      if (key !== undefined && at > (key.lastUsedAt ?? -Infinity)) keys.set(id, { ...key, lastUsedAt: at })
      return Promise.resolve()
    },
  }
}
