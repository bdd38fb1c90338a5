import { describeWith } from '@sallyport/test-support/services'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

const { signal } = new AbortController()
const connectTimeoutMs = 60_000

function testClosing(open: () => Promise<SqliteDatabase | PostgresDatabase>): void {
  /** Occupies the only connection until the returned function is called. */
  async function occupy({ kysely }: Pick<PostgresDatabase, 'kysely'>) {
    const [taken, done] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const occupying = kysely.connection().execute(async () => {
      taken.resolve(undefined)
      await done.promise
    })
    await taken.promise
    return async () => {
      done.resolve(undefined)
      await occupying
    }
  }

  // Running calls must finish, without an error of the driver.
  it('finishes the calls that began before the close', async () => {
    const database = await open()
    const [inbox, bus] = [database.inbox(), database.bus()]
    await inbox.record(getDelivery('doorbell:1'))
    const free = await occupy(database as Pick<PostgresDatabase, 'kysely'>)
    const asked = Promise.allSettled([
      inbox.list({ limit: 1 }),
      inbox.get('unknown'),
      inbox.stats(),
      inbox.known(['doorbell:1']),
      inbox.published({ limit: 1 }),
      inbox.countDeliveries({}),
      inbox.countPublished({}),
      inbox.failures({ limit: 1 }),
      inbox.replay({ filter: {}, limit: 1 }),
      inbox.prune({ bodiesForMs: 0 }),
      bus.read({ limit: 1 }),
      bus.prune({ publishedForMs: 0 }),
    ])
    const closing = database.close()
    // Long enough for one that waits for nothing.
    await sleep(50)
    await free()
    await closing
    expect((await asked).filter(({ status }) => status === 'rejected')).toEqual([])
  })

  it('takes nothing more once it is closed', async () => {
    const database = await open()
    const [inbox, queue, bus] = [database.inbox(), database.queue(), database.bus()]
    await Promise.all([database.close(), database.close()])
    const refused = { code: 'INBOX_UNAVAILABLE' }
    await expect(inbox.list({ limit: 1 })).rejects.toMatchObject(refused)
    await expect(queue.publish([getDelivery('a').events[0]!.event], signal)).rejects.toMatchObject(refused)
    await expect(bus.read({ limit: 1 })).rejects.toMatchObject(refused)
    await expect(database.inbox().list({ limit: 1 })).rejects.toMatchObject(refused)
  })
}

describe('closing a database of SQLite', () => {
  testClosing(async () => openSqlite({ path: await newPath(), connectTimeoutMs }))
  afterAll(removeFiles)
})

describeWith('postgres', (postgres) => {
  testClosing(async () => {
    const database = await openPostgres({ ...postgres(), maxConnections: 1, connectTimeoutMs })
    await database.migrate()
    return database
  })
})
