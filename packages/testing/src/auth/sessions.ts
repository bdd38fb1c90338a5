import type { SessionRecord, SessionStore } from '@sallyport/auth/store'
import type { TestRunner } from '@sallyport/webhooks/testing'

/**
 * Defines the conformance tests of {@link SessionStore}.
 *
 * @param runner the functions of the test runner
 * @param createStore creates an empty store for each test
 * @example
 * ```ts
 * import { createMemorySessionStore } from '@sallyport/auth'
 * import { testSessionStore } from '@sallyport/testing/auth'
 * import { describe, expect, it } from 'vitest'
 *
 * testSessionStore({ describe, expect, it }, () => createMemorySessionStore())
 * ```
 */
export function testSessionStore(
  { describe, expect, it }: TestRunner,
  createStore: () => SessionStore | Promise<SessionStore>,
): void {
  describe('a session store', () => {
    it('returns a created session, and undefined for an unknown id', async () => {
      const store = await createStore()
      await store.create(session())
      expect(await store.get('s1')).toEqual(session())
      expect(await store.get('s2')).toBe(undefined)
    })

    it('rejects an existing id and keeps the first session', async () => {
      const store = await createStore()
      await store.create(session())
      const refused = await store.create(session({ userId: 'u2' })).then(
        () => false,
        () => true,
      )
      expect(refused).toBe(true)
      expect((await store.get('s1'))?.userId).toBe('u1')
    })

    it('rotates only from the current token', async () => {
      const store = await createStore()
      await store.create(session())
      await store.create(session({ id: 's2' }))
      expect(await store.rotate('s1', { from: 'hash-1', to: 'hash-2', at: 2000 })).toBe(true)
      const rotated = session({ tokenHash: 'hash-2', previousTokenHash: 'hash-1', rotatedAt: 2000 })
      expect(await store.get('s1')).toEqual(rotated)
      expect(await store.rotate('s1', { from: 'hash-1', to: 'hash-3', at: 3000 })).toBe(false)
      expect(await store.rotate('s3', { from: 'hash-1', to: 'hash-3', at: 3000 })).toBe(false)
      expect(await store.get('s1')).toEqual(rotated)
      expect(await store.get('s2')).toEqual(session({ id: 's2' }))
    })

    it('lets one of many concurrent rotations succeed', async () => {
      const store = await createStore()
      await store.create(session())
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.rotate('s1', { from: 'hash-1', to: `hash-of-${index}`, at: 2000 + index }),
        ),
      )
      expect(results.filter((rotated) => rotated).length).toBe(1)
      const winner = results.indexOf(true)
      const stored = await store.get('s1')
      expect(stored?.tokenHash).toBe(`hash-of-${winner}`)
      expect(stored?.rotatedAt).toBe(2000 + winner)
    })

    it('revokes a session once and never rotates it again', async () => {
      const store = await createStore()
      await store.create(session())
      expect(await store.revoke('s1', 5000)).toBe(true)
      expect(await store.revoke('s1', 6000)).toBe(false)
      expect(await store.revoke('s2', 6000)).toBe(false)
      expect(await store.rotate('s1', { from: 'hash-1', to: 'hash-2', at: 7000 })).toBe(false)
      expect(await store.get('s1')).toEqual(session({ revokedAt: 5000 }))
    })

    it('revokes the sessions of a user except one', async () => {
      const store = await createStore()
      for (const id of ['s1', 's2', 's3', 's4']) await store.create(session({ id }))
      await store.create(session({ id: 'other', userId: 'u2' }))
      await store.revoke('s4', 4000)
      expect([...(await store.revokeUser('u1', { at: 5000, except: 's2' }))].sort()).toEqual(['s1', 's3'])
      expect((await store.get('s1'))?.revokedAt).toBe(5000)
      expect((await store.get('s4'))?.revokedAt).toBe(4000)
      expect((await store.get('s2'))?.revokedAt).toBe(null)
      expect((await store.get('other'))?.revokedAt).toBe(null)
      expect(await store.revokeUser('u1', { at: 6000 })).toEqual(['s2'])
      expect(await store.revokeUser('u3', { at: 6000 })).toEqual([])
    })

    it('revokes the sessions of a user except one and the most recently used', async () => {
      const store = await createStore()
      const ids = ['s1', 's2', 's3', 's4', 's5']
      for (const [index, id] of ids.entries()) await store.create(session({ id, rotatedAt: 1000 + index }))
      await store.create(session({ id: 'other', userId: 'u2' }))
      await store.rotate('s2', { from: 'hash-1', to: 'hash-2', at: 2000 })
      await store.revoke('s5', 4000)
      expect(await store.revokeUser('u1', { at: 5000, except: 's1', keep: 3 })).toEqual([])
      expect(await store.revokeUser('u1', { at: 5000, except: 's1', keep: 2 })).toEqual(['s3'])
      expect([...(await store.revokeUser('u1', { at: 6000, keep: 1 }))].sort()).toEqual(['s1', 's4'])
      expect((await store.get('s2'))?.revokedAt).toBe(null)
      expect((await store.get('s5'))?.revokedAt).toBe(4000)
      expect((await store.get('other'))?.revokedAt).toBe(null)
    })

    it('revokes the sessions of all users once', async () => {
      const store = await createStore()
      await store.create(session())
      await store.create(session({ id: 's2', userId: 'u2' }))
      await store.create(session({ id: 'ended' }))
      await store.revoke('ended', 4000)
      expect([...(await store.revokeAll(5000))].sort()).toEqual(['s1', 's2'])
      expect((await store.get('s2'))?.revokedAt).toBe(5000)
      expect((await store.get('ended'))?.revokedAt).toBe(4000)
      expect(await store.revokeAll(6000)).toEqual([])
    })

    it('lists the sessions of a user that are not revoked, newest first', async () => {
      const store = await createStore()
      await store.create(session({ id: 'middle', createdAt: 1001 }))
      await store.create(session({ id: 'oldest', createdAt: 1000 }))
      await store.create(session({ id: 'newest', createdAt: 1002 }))
      await store.create(session({ id: 'ended', createdAt: 1003 }))
      await store.create(session({ id: 'other', userId: 'u2' }))
      await store.revoke('ended', 5000)
      expect((await store.list('u1')).map(({ id }) => id)).toEqual(['newest', 'middle', 'oldest'])
      expect(await store.list('u3')).toEqual([])
    })

    it('deletes sessions that ended before a time', async () => {
      const store = await createStore()
      await store.create(session({ id: 'expired', expiresAt: 4999 }))
      await store.create(session({ id: 'not yet', expiresAt: 5000 }))
      await store.create(session({ id: 'ended' }))
      await store.create(session({ id: 'ended later' }))
      await store.revoke('ended', 4999)
      await store.revoke('ended later', 5000)
      expect(await store.prune(5000)).toBe(2)
      expect(await store.prune(5000)).toBe(0)
      expect(await store.get('expired')).toBe(undefined)
      expect(await store.get('ended')).toBe(undefined)
      expect((await store.get('not yet'))?.id).toBe('not yet')
      expect((await store.get('ended later'))?.id).toBe('ended later')
    })
  })
}

function session(fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: 's1',
    userId: 'u1',
    createdAt: 1000,
    expiresAt: 1_900_000_000_000,
    tokenHash: 'hash-1',
    previousTokenHash: null,
    rotatedAt: 1000,
    revokedAt: null,
    ...fields,
  }
}
