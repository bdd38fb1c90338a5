import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStorage } from '../src/database/storage.ts'
import { startApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

it('use a function in SQLite, which is faster than LIKE', async () => {
  const directory = await temporaryDirectory()
  const log = { debug: () => undefined, error: () => undefined }
  const storage = await openStorage({ DATA_DIR: directory.path, DATABASE_URL: undefined, MIGRATE: true }, log)
  expect(storage.search.contains).toBe('instr')
  await storage.close()
  await directory[Symbol.asyncDispose]()
})

describeWith('postgres', (postgres) => {
  it('of all lists share the documented limit', async () => {
    const error = { code: 'OVERLOADED', message: 'Too many searches at once; try again' }
    const { url } = postgres()
    const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' }
    await using api = await startApi({ DATABASE_URL: url, ...admin })
    const { token } = await api.user()
    const get = (path: string) => api.call('GET', path, { token })
    const searches: Promise<unknown>[] = []
    const searchWhileFull = async (path: string) => {
      // Two searches run, 256 wait, and one is rejected.
      const some = Array.from({ length: 259 }, (_, index) => get(`/projects?search=${index}`))
      searches.push(...some)
      await Promise.race(some)
      return get(`${path}?search=a`)
    }
    const database = await openPostgres({ url, idleInTransactionTimeoutMs: 600_000 })
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table projects in access exclusive mode`.execute(transaction)
      for (const path of ['/projects', '/posts', '/users']) {
        // On a machine that is slow enough, those that wait have given up before the last one asks.
        await expect
          .poll(() => searchWhileFull(path), { timeout: 60_000 })
          .toMatchObject({ status: 503, error })
      }
      for (const path of ['/posts', '/users']) expect(await get(path)).toMatchObject({ status: 200 })
    })
    await database.close()
    await Promise.all(searches)
    expect(await get('/projects?search=a')).toMatchObject({ status: 200 })
  })
})
