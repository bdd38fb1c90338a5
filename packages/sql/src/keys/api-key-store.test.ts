import { createApiKeys } from '@sallyport/auth'
import { testApiKeyStore } from '@sallyport/testing/auth'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { apiKeysMigration } from './tables.ts'
import { createKyselyApiKeyStore } from './api-key-store.ts'

describeDatabases({ '0001-keys': apiKeysMigration }, (databases) => {
  async function emptyStores() {
    const [one, other] = databases()
    await sql`delete from api_keys`.execute(one)
    return [createKyselyApiKeyStore(one), createKyselyApiKeyStore(other)] as const
  }

  testApiKeyStore({ describe, expect, it }, async () => (await emptyStores())[0])

  it('stops a deleted key in another process within five seconds', async () => {
    const stores = await emptyStores()
    let time = 0
    const now = () => time
    const [here, there] = stores.map((store) => createApiKeys({ store, getOwner: (id) => ({ id }), now }))
    const { key, text } = await here!.create({ name: 'CI', scopes: ['a'], ownerId: 'ann' })
    expect((await there!.verify(text)).owner).toEqual({ id: 'ann' })
    await here!.delete(key.id)
    time = 4999
    expect((await there!.verify(text)).key.id).toBe(key.id)
    time = 5000
    await expect(there!.verify(text)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })

  it('keeps no key that was created in another process during the deletion of its parent', async () => {
    const [here, there] = await emptyStores()
    const key = {
      name: 'CI',
      scopes: ['a'],
      ownerId: 'ann',
      secretHash: 'hash',
      createdAt: 1,
      endpoints: null,
    }
    const rest = { ...key, expiresAt: null, lastUsedAt: null }
    for (let round = 0; round < 20; round++) {
      await here.insert({ ...rest, id: 'parent', parentId: null })
      const children = Array.from({ length: 8 }, (_, index) =>
        there.insert({ ...rest, id: `child-${index}`, parentId: 'parent' }),
      )
      await Promise.all([...children, here.delete('parent')])
      expect(await here.list({ limit: 10 })).toEqual([])
    }
  })

  it('deletes more descendants than a statement has parameters', async () => {
    const [store] = await emptyStores()
    const count = 66_000
    await sql`
      insert into api_keys (id, name, scopes, owner_id, parent_id, secret_hash, created_at)
      with recursive n (i) as (select 0 union all select i + 1 from n where i < ${sql.lit(count)})
      select 'key-' || i, 'CI', '[]', 'ann', case when i > 0 then 'key-0' end, 'hash', 1 from n
    `.execute(databases()[0])
    expect(await store.delete('key-0')).toHaveLength(count + 1)
    expect(await store.count()).toBe(0)
  })

  it('deletes keys in a transaction of the caller', async () => {
    const [store] = await emptyStores()
    const keys = createApiKeys({ store, getOwner: (id) => ({ id }) })
    const { key } = await keys.create({ name: 'CI', scopes: ['a'], ownerId: 'ann' })
    const failing = databases()[0]
      .transaction()
      .execute(async (transaction) => {
        expect(await createKyselyApiKeyStore(transaction).delete(key.id)).toEqual([key.id])
        throw new Error('rolled back')
      })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await store.count()).toBe(1)
  })

  it('stores only a hash of the secret', async () => {
    const [store] = await emptyStores()
    const keys = createApiKeys({ store, getOwner: (id) => ({ id }) })
    const { text } = await keys.create({ name: 'CI', scopes: ['a'], ownerId: 'ann' })
    await keys.verify(text)
    await vi.waitFor(async () => {
      expect((await keys.list({ limit: 1 }))[0]?.lastUsedAt).not.toBe(null)
    })
    const { rows } = await sql`select * from api_keys`.execute(databases()[0])
    const secret = text.split('_')[2]!.slice(0, 64)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})
