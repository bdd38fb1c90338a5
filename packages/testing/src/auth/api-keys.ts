import type { ApiKeyRecord, ApiKeyStore } from '@sallyport/auth/store'
import type { TestRunner } from '@sallyport/webhooks/testing'

const createKey = (changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: 'k1',
  name: 'CI',
  scopes: ['deliveries:read', 'replays:write'],
  ownerId: 'u1',
  endpoints: null,
  parentId: null,
  secretHash: 'hash-1',
  createdAt: 1000,
  expiresAt: null,
  lastUsedAt: null,
  ...changes,
})

/**
 * Defines the conformance tests of {@link ApiKeyStore}.
 *
 * @param runner the functions of the test runner
 * @param createStore creates an empty store for each test
 * @example
 * ```ts
 * import { createMemoryApiKeyStore } from '@sallyport/auth'
 * import { testApiKeyStore } from '@sallyport/testing/auth'
 * import { describe, expect, it } from 'vitest'
 *
 * testApiKeyStore({ describe, expect, it }, () => createMemoryApiKeyStore())
 * ```
 */
export function testApiKeyStore(
  { describe, expect, it }: TestRunner,
  createStore: () => ApiKeyStore | Promise<ApiKeyStore>,
): void {
  describe('a store of API keys', () => {
    it('returns an inserted key, and undefined for an unknown id', async () => {
      const store = await createStore()
      const odd = createKey({
        id: 'k2',
        name: 'Ä "\\ \u0000 \ud800',
        parentId: 'k1',
        expiresAt: 5000,
        endpoints: 'region=ü \u0000',
      })
      expect(await store.insert(createKey())).toBe(true)
      expect(await store.insert(odd)).toBe(true)
      expect(await store.get('k1')).toEqual(createKey())
      expect(await store.get('k2')).toEqual(odd)
      expect(await store.get('k3')).toBe(undefined)
    })

    it('rejects an existing id and keeps the first key', async () => {
      const store = await createStore()
      await store.insert(createKey())
      const refused = await store.insert(createKey({ name: 'Other' })).then(
        () => false,
        () => true,
      )
      expect(refused).toBe(true)
      expect((await store.get('k1'))?.name).toBe('CI')
    })

    it('lists pages in both orders of time and id', async () => {
      const store = await createStore()
      for (const id of ['k3', 'k1', 'k2', 'k4']) {
        await store.insert(createKey({ id, createdAt: id === 'k4' ? 500 : 1000 }))
      }
      const list = async (query: Parameters<ApiKeyStore['list']>[0]) =>
        (await store.list(query)).map(({ id }) => id)
      expect(await list({ limit: 10 })).toEqual(['k3', 'k2', 'k1', 'k4'])
      expect(await list({ limit: 2, offset: 1, order: 'oldest' })).toEqual(['k1', 'k2'])
      expect(await list({ limit: 2, after: { createdAt: 1000, id: 'k2' } })).toEqual(['k1', 'k4'])
      expect(await store.count()).toBe(4)
    })

    it('stores no key of a key that does not exist', async () => {
      const store = await createStore()
      expect(await store.insert(createKey({ id: 'k2', parentId: 'k1' }))).toBe(false)
      await store.insert(createKey())
      await store.delete('k1')
      expect(await store.insert(createKey({ id: 'k2', parentId: 'k1' }))).toBe(false)
      expect(await store.count()).toBe(0)
    })

    it('deletes a key with the keys that descend from it', async () => {
      const store = await createStore()
      await store.insert(createKey())
      await store.insert(createKey({ id: 'k2', parentId: 'k1' }))
      await store.insert(createKey({ id: 'k3', parentId: 'k2' }))
      await store.insert(createKey({ id: 'k4' }))
      await store.insert(createKey({ id: 'k5', parentId: 'k4' }))
      expect((await store.delete('k1')).toSorted()).toEqual(['k1', 'k2', 'k3'])
      expect(await store.delete('k1')).toEqual([])
      expect(await store.get('k3')).toBe(undefined)
      expect(await store.count()).toBe(2)
    })

    it('keeps no key that was created during the deletion of its parent', async () => {
      const store = await createStore()
      for (let round = 0; round < 10; round++) {
        await store.insert(createKey())
        await store.insert(createKey({ id: 'child', parentId: 'k1' }))
        const create = (parentId: string) =>
          Array.from({ length: 5 }, (_, index) =>
            store.insert(createKey({ id: `${parentId}-${index}`, parentId })),
          )
        await Promise.all([...create('k1'), ...create('child'), store.delete('k1'), ...create('child-0')])
        expect(await store.count()).toBe(0)
      }
    })

    it('keeps the latest time of use', async () => {
      const store = await createStore()
      await store.insert(createKey())
      await store.touch('k1', 3000)
      await store.touch('k1', 2000)
      await store.touch('k2', 4000)
      expect((await store.get('k1'))?.lastUsedAt).toBe(3000)
    })
  })
}
