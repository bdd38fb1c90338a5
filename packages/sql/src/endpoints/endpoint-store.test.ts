import { describeWith } from '@sallyport/test-support/services'
import { testStores } from '@sallyport/testing'
import { createEndpoints, createSecretCipher } from '@sallyport/webhooks/endpoints'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { explaining, scanned } from '../../test/explaining.ts'
import { openPostgres } from '../postgres/index.ts'
import { kyselyEndpointStore } from './endpoint-store.ts'

const cipher = createSecretCipher([new Uint8Array(32).fill(1)])

describeDatabases({}, (databases) => {
  async function emptyStores() {
    const [one, other] = databases()
    await sql`delete from endpoints`.execute(one)
    return { one: kyselyEndpointStore(one), other: kyselyEndpointStore(other) }
  }

  testStores({ describe, expect, it }, { endpoints: async () => (await emptyStores()).one })

  it('shows the changes of another process within the time', async () => {
    const stores = await emptyStores()
    let ticks = 0
    const open = (store: typeof stores.one) =>
      createEndpoints({ store, cipher, maxStaleMs: 2000, monotonicNow: () => ticks })
    const [one, other] = [open(stores.one), open(stores.other)]
    expect(await other.find('acme')).toBeUndefined()
    await one.create({ id: 'acme', provider: 'doorbell', name: 'Acme', secret: 'the first' })
    expect(await other.find('acme')).toBeUndefined()
    ticks += 2000
    expect(await other.find('acme')).toMatchObject({ status: 'active', secrets: ['the first'] })

    const added = await one.addSecret('acme', 'the second')
    const [, first] = added?.endpoint.secrets ?? []
    ticks += 2000
    expect(await other.find('acme')).toMatchObject({ secrets: ['the second', 'the first'] })
    await one.removeSecret('acme', first?.id ?? '')
    ticks += 2000
    expect(await other.find('acme')).toMatchObject({ secrets: ['the second'] })
    await one.update('acme', { status: 'disabled' })
    ticks += 2000
    expect(await other.find('acme')).toMatchObject({ status: 'disabled' })
    await one.delete('acme')
    ticks += 2000
    expect(await other.find('acme')).toBeUndefined()
  })

  it('keeps neither the name, the labels nor the secrets of a deleted endpoint', async () => {
    const { one } = await emptyStores()
    const endpoints = createEndpoints({ store: one, cipher })
    const labels = { customer: 'Jane Doe' }
    await endpoints.create({ id: 'acme', provider: 'doorbell', name: 'Jane Doe', secret: 'a', labels })
    await endpoints.delete('acme')
    const { rows } = await sql`select id, name, search, labels, secrets from endpoints`.execute(
      databases()[0],
    )
    expect(rows).toEqual([{ id: 'acme', name: '', search: '', labels: '{}', secrets: '[]' }])
  })

  it('creates an endpoint in a transaction of the caller', async () => {
    const { one } = await emptyStores()
    const failing = databases()[0]
      .transaction()
      .execute(async (transaction) => {
        const endpoints = createEndpoints({ store: kyselyEndpointStore(transaction), cipher })
        await endpoints.create({ id: 'acme', provider: 'doorbell', name: 'Acme', secret: 'the first' })
        throw new Error('rolled back')
      })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await one.get(['acme'])).toEqual([])
  })

  it('costs no query for an unknown id that is looked up again', async () => {
    await emptyStores()
    let queries = 0
    const counting = databases()[0].withPlugin({
      transformQuery({ node }) {
        queries++
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const endpoints = createEndpoints({ store: kyselyEndpointStore(counting), cipher, monotonicNow: () => 0 })
    for (let count = 0; count < 1000; count++) expect(await endpoints.find('unknown')).toBeUndefined()
    // The position of the changes, and one lookup.
    expect(queries).toBe(2)
    await Promise.all(Array.from({ length: 1000 }, async (_, id) => endpoints.find(`random-${id}`)))
    expect(queries).toBe(4)
  })

  it('loses no change of concurrent processes', async () => {
    const stores = await emptyStores()
    let ticks = 0
    const reader = createEndpoints({ store: stores.other, cipher, monotonicNow: () => ticks })
    const writers = [stores.one, stores.other].map((store) => createEndpoints({ store, cipher }))
    const ids = Array.from({ length: 20 }, (_, index) => `endpoint-${index}`)
    for (const id of ids) await writers[0]?.create({ id, provider: 'doorbell', name: id })
    for (const id of ids) await reader.find(id)
    await Promise.all(
      ids.map(async (id, index) => {
        await writers[index % 2]?.addSecret(id, `secret of ${id}`)
        // Reads while other changes are not committed yet.
        ticks += 2000
        await reader.find(id)
      }),
    )
    ticks += 2000
    for (const id of ids) expect(await reader.find(id)).toMatchObject({ secrets: [`secret of ${id}`] })
  })

  it('stores no secret as plain text', async () => {
    const { one } = await emptyStores()
    await createEndpoints({ store: one, cipher }).create({
      id: 'acme',
      provider: 'doorbell',
      name: 'Acme',
      secret: 'a plain secret',
    })
    const { rows } = await sql`select * from endpoints`.execute(databases()[0])
    expect(JSON.stringify(rows)).toContain('Acme')
    expect(JSON.stringify(rows)).not.toContain('plain secret')
  })
})

describeWith('postgres', (postgres) => {
  async function openStore() {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool, migrate: true })
    await pool.query('truncate endpoints')
    onTestFinished(async () => {
      await database.close()
      await pool.end()
    })
    return { pool, store: kyselyEndpointStore(database.kysely) }
  }

  it('prepares few statements for lookups of any number of ids', async () => {
    const { pool, store } = await openStore()
    const ids = Array.from({ length: 1030 }, (_, index) => `endpoint-${index}`)
    const created = ['endpoint-0', 'endpoint-1029'].map((id) => ({
      ...{
        id,
        provider: 'doorbell',
        name: id,
        status: 'active' as const,
        secrets: [],
        labels: {},
        options: {},
      },
      ...{ version: 1, createdAt: 1, updatedAt: 1 },
    }))
    for (const endpoint of created) await store.insert(endpoint)
    for (let count = 1; count <= 40; count++)
      expect(await store.get(ids.slice(0, count))).toEqual(created.slice(0, 1))
    expect(await store.get(ids)).toEqual(created)
    expect(await store.get([])).toEqual([])
    const { rows } = await pool.query(
      `select from pg_prepared_statements where statement like '%from "endpoints"%'`,
    )
    // 1, 2, 4, 8, 16, 32, 64 and 512 ids; the last 6 of 1,030 have the statement of 8.
    expect(rows).toHaveLength(8)
  })

  it('reads the asked endpoints only, in a table that the planner knows nothing of yet', async () => {
    const { pool } = await openStore()
    await pool.query('alter table endpoints set (autovacuum_enabled = off)')
    await pool.query(`
      insert into endpoints (id, provider, name, search, status, secrets, labels, options, version, created_at, updated_at, change)
      select 'endpoint-' || n, 'doorbell', 'name', 'name', 'active', '[]', '{}', '{}', 1, 1, 1, n
      from generate_series(1, 20000) n`)
    const { db, plans } = explaining(pool)
    const ids = Array.from({ length: 32 }, (_, index) => `endpoint-${(index + 1) * 1000}`)
    await kyselyEndpointStore(db).get(ids)
    expect(Math.max(...plans.map(scanned))).toBe(20)
  })
})
