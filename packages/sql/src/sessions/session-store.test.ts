import { createSessions } from '@sallyport/auth'
import type { SessionRecord } from '@sallyport/auth/store'
import { testSessionStore } from '@sallyport/testing/auth'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createKyselySessionStore } from './session-store.ts'
import { sessionsMigration } from './tables.ts'

interface Tables {
  users: { id: string; name: string | null }
  posts: { size: number }
}

describeDatabases({ '0001-sessions': sessionsMigration }, (databases) => {
  async function emptyStores() {
    const [one, other] = databases()
    await sql`delete from sessions`.execute(one)
    return { one: createKyselySessionStore(one), other: createKyselySessionStore(other), db: one }
  }

  testSessionStore({ describe, expect, it }, async () => (await emptyStores()).one)

  it('lets one of many rotations in two processes succeed', async () => {
    const { one, other } = await emptyStores()
    await one.create(session())
    let current = 'hash-0'
    for (let turn = 0; turn < 10; turn += 1) {
      const next = Array.from({ length: 16 }, (_, index) => `hash-${turn}-${index}`)
      const results = await Promise.all(
        next.map((to, index) =>
          (index % 2 === 0 ? one : other).rotate('s1', { from: current, to, at: turn }),
        ),
      )
      expect(results.filter((rotated) => rotated)).toHaveLength(1)
      current = next[results.indexOf(true)]!
      expect((await other.get('s1'))?.tokenHash).toBe(current)
    }
  })

  it('returns the same successor for concurrent uses of a refresh token', async () => {
    const { one, other } = await emptyStores()
    const secrets = ['a-secret-of-more-than-thirty-two-bytes']
    const [here, there] = [createSessions({ store: one, secrets }), createSessions({ store: other, secrets })]
    const { refreshToken } = await here.create({ userId: 'u1' })
    const grants = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? here : there).rotate(refreshToken)),
    )
    expect(new Set(grants.map((grant) => grant.refreshToken)).size).toBe(1)
  })

  it('revokes a session once under concurrent calls', async () => {
    const { one, other } = await emptyStores()
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
    await Promise.all(ids.map((id) => one.create(session({ id }))))
    const ended = await Promise.all([
      one.revokeUser('u1', { at: 2000 }),
      other.revokeUser('u1', { at: 2000 }),
      ...ids.map(async (id) => ((await other.revoke(id, 2000)) ? [id] : [])),
    ])
    expect(ended.flat().sort()).toEqual([...ids].sort())
  })

  it('takes ids that no column of text takes as they are', async () => {
    const { one } = await emptyStores()
    const odd = session({ id: 'a\0b', userId: `\ud800 ' " \\u0000 🚪` })
    await one.create(odd)
    expect(await one.get('a\0b')).toEqual(odd)
    expect(await one.list(odd.userId)).toEqual([odd])
    expect(await one.revokeUser(odd.userId, { at: 2000 })).toEqual(['a\0b'])
    expect(await one.get('a')).toBeUndefined()
  })

  it('is a part of a transaction of any tables', async () => {
    const { one, db } = await emptyStores()
    const failing = (db as unknown as Kysely<Tables>).transaction().execute(async (transaction) => {
      await createKyselySessionStore(transaction).create(session())
      throw new Error('never mind')
    })
    await expect(failing).rejects.toThrow('never mind')
    expect(await one.get('s1')).toBeUndefined()
  })

  it('forgets more than one statement deletes', async () => {
    const { one, db } = await emptyStores()
    await insertExpired(db, 2500)
    await one.create(session({ id: 'stays', expiresAt: 6000 }))
    expect(await one.prune(6000)).toBe(2500)
    expect(await one.get('stays')).toBeDefined()
  })
})

async function insertExpired(db: Kysely<unknown>, count: number): Promise<void> {
  await sql`
    insert into sessions (id, user_id, created_at, expires_at, token_hash, rotated_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    select 'old-' || n, 'u1', 1000, 5000, 'hash', 1000 from numbers`.execute(db)
}

function session(fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: 's1',
    userId: 'u1',
    createdAt: 1000,
    expiresAt: 1_900_000_000_000,
    tokenHash: 'hash-0',
    previousTokenHash: null,
    rotatedAt: 1000,
    revokedAt: null,
    ...fields,
  }
}
