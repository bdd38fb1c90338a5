import { describeWith } from '@sallyport/test-support/services'
import { afterAll, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../test/files.ts'
import { getDelivery } from '../test/records.ts'
import { openPostgres, type PostgresDatabase } from './postgres/index.ts'
import { openSqlite, type SqliteDatabase } from './sqlite/index.ts'

type Database = SqliteDatabase | PostgresDatabase

/** Writes to each store of one database, and reads the rows from another one. */
async function useStores(one: Database, other: Database): Promise<void> {
  const endpoint = { provider: 'doorbell', name: 'Acme', status: 'active', secrets: [] } as const
  const times = { version: 1, createdAt: 1, updatedAt: 1 }
  await one.endpoints().insert({ id: 'acme', ...endpoint, ...times, labels: {}, options: {} })
  expect(await other.endpoints().count({})).toBe(1)
  await one.traffic().add([{ minute: 0, provider: 'doorbell', outcome: 'accepted', reason: '', count: 2 }])
  expect((await other.traffic().sum({ from: 0, to: 60_000, intervalMs: 60_000 })).series).toHaveLength(1)
  await one.audit().record({ actor: { id: 'ann' }, action: 'endpoint.create' })
  expect(await other.audit().count({})).toBe(1)
  expect(await one.alerts().claim('one', 60_000)).toEqual([])
  expect(await other.alerts().claim('other', 60_000)).toBeUndefined()
  const process = { id: 'one', roles: ['gateway'], version: '1.0.0', host: 'worker', pid: 1, startedAt: 1 }
  await one.processes().save({ ...process, dependencies: [], notices: [] }, 60_000)
  expect(await other.processes().list()).toMatchObject([{ id: 'one', isDead: false }])
  expect(await other.unprocessed().count({})).toBe(0)
  expect(await other.replayJobs().count()).toBe(0)
  const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
  expect(await one.idempotency().claim(claim)).toEqual({ state: 'claimed' })
  expect(await other.idempotency().claim(claim)).toMatchObject({ state: 'in-use' })
  await one.inbox().record(getDelivery('a'))
  expect(await other.inbox().known(['a'])).toEqual([true])
}

describe('a database that several processes open at once', () => {
  it('has all stores on SQLite', async () => {
    const path = await newPath()
    const databases = await Promise.all([openSqlite({ path }), openSqlite({ path })])
    await useStores(...databases)
    await Promise.all(databases.map((database) => database.close()))
  })
  afterAll(removeFiles)

  describeWith('postgres', (postgres) => {
    it.each([undefined, 'hooks'])('has all stores in the schema %s', async (schema) => {
      const open = () => openPostgres({ ...postgres(), migrate: true, ...(schema && { schema }) })
      const databases = await Promise.all([open(), open()])
      await databases[0].check()
      await useStores(...databases)
      await Promise.all(databases.map((database) => database.close()))
    })
  })
})
