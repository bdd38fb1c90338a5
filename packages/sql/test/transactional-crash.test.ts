import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

const script = fileURLToPath(new URL('transactional-process.ts', import.meta.url))
const ids = Array.from({ length: 300 }, (_, index) => `doorbell:${index}`)

/** Runs the process, and kills it after some events. */
async function handle(place: string, killAfter = Infinity): Promise<unknown> {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let handled = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    handled += text.split('\n').length - 1
    if (handled >= killAfter) child.kill('SIGKILL')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function testCrashes(database: SqliteDatabase | PostgresDatabase, place: string): Promise<void> {
  const db = database.kysely as Kysely<unknown>
  await sql`create table effects (id text)`.execute(db)
  const inbox = database.inbox()
  await Promise.all(ids.map((id) => inbox.record(getDelivery(id))))
  for (const killAfter of [1, 2, 5, 11, 23, 31]) expect(await handle(place, killAfter)).toBeNull()
  const { events } = await inbox.stats()
  expect(events.pending).toBeGreaterThan(0)
  expect(await handle(place)).toBe(0)
  const { rows } = await sql<{ id: string }>`select id from effects`.execute(db)
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.flatMap((id) => [`${id}:1`, `${id}:2`]).sort())
  expect((await inbox.stats()).published).toBe(ids.length)
}

describe('a process that is killed in its handlers leaves both effects and settlement, or neither', () => {
  afterAll(removeFiles)
  it('with SQLite', async () => {
    const path = await newPath()
    const database = await openSqlite({ path })
    await testCrashes(database, path)
    await database.close()
  })

  describeWith('postgres', (postgres) => {
    it('with PostgreSQL', async () => {
      const { url } = postgres()
      const database = await openPostgres({ url, migrate: true })
      await testCrashes(database, url)
      await database.close()
    })
  })
})
