// Handles events in transactions until none is left or the process is killed, and prints a line per event.
import { type WebhookEvent } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../src/postgres/index.ts'
import { openSqlite } from '../src/sqlite/index.ts'
import type { SqliteTransactional } from '../src/sqlite/transactional.ts'

const [place = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const database = place.startsWith('postgres:')
  ? await openPostgres({ url: place })
  : await openSqlite({ path: place, handlerTransactionMs: 5000 })
const inbox = database.inbox()
const transactional: SqliteTransactional = database.transactional
const handle = transactional(({ id }: WebhookEvent) => async (transaction) => {
  await sql`insert into effects values (${`${id}:1`})`.execute(transaction)
  await sleep(1)
  await sql`insert into effects values (${`${id}:2`})`.execute(transaction)
})

while ((await inbox.stats()).events.pending > 0) {
  const works = await inbox.claim('publish', { limit: 20, leaseMs: 200 })
  for (const { event, lease } of works) {
    await handle.runInTransaction(event, signal, { id: event.id, lease })
    writeSync(1, 'handled\n')
  }
  if (works.length === 0) await sleep(20)
}
await database.close()
