import { describeWith } from '@sallyport/test-support/services'
import type { DeliveryRecord } from '@sallyport/webhooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

const script = fileURLToPath(new URL('destination-process.ts', import.meta.url))
const subjects = ['front', 'back', 'garden']
const count = 40

/** Creates the rows of an event for both destinations. */
function toRows(id: string, subject: string): DeliveryRecord {
  const delivery = getDelivery(id)
  const events = delivery.events.flatMap((record) =>
    ['up', 'down'].map((name) => ({
      ...record,
      event: { ...record.event, id: `>${name}/${record.event.id}`, subject },
      lane: { name: `>${name}/doorbell/${subject}`, isOrdered: true },
    })),
  )
  return { ...delivery, events }
}

/** Runs the process, kills it after some events, and adds the ids that it printed. */
async function send(place: string, sent: string[], killAfter = Infinity): Promise<unknown> {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let own = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const ids = text.split('\n').filter((id) => id !== '')
    sent.push(...ids)
    own += ids.length
    if (own >= killAfter) child.kill('SIGKILL')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function testCrashes(database: SqliteDatabase | PostgresDatabase, place: string): Promise<void> {
  const inbox = database.inbox()
  for (let index = 0; index < count; index++)
    await Promise.all(subjects.map((subject) => inbox.record(toRows(`${subject}:${index}`, subject))))
  const sent: string[] = []
  for (const killAfter of [1, 7, 20]) expect(await send(place, sent, killAfter)).toBeNull()
  expect(await send(place, sent)).toBe(0)
  for (const subject of subjects) {
    const own = [...new Set(sent.filter((id) => id.startsWith(`${subject}:`)))]
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `${subject}:${index}`))
  }
  expect((await inbox.stats()).events).toMatchObject({ pending: subjects.length * count, dead: 0 })
}

describe('a process that is killed while it sends loses no event, and keeps the order', () => {
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
