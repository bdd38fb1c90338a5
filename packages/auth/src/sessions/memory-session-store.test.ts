import { testSessionStore } from '@sallyport/testing/auth'
import { describe, expect, it } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.ts'
import type { SessionRecord } from './session-store.ts'

testSessionStore({ describe, expect, it }, () => createMemorySessionStore())

it('deletes the oldest session at the limit', async () => {
  const store = createMemorySessionStore({ max: 2 })
  const session: SessionRecord = {
    id: 'a',
    userId: 'u1',
    createdAt: 0,
    expiresAt: 1,
    tokenHash: '',
    previousTokenHash: null,
    rotatedAt: 0,
    revokedAt: null,
  }
  for (const id of ['a', 'b', 'c']) await store.create({ ...session, id })
  expect(await store.get('a')).toBeUndefined()
  expect(await store.get('b')).toBeDefined()
})
