// Records and publishes events until its input ends or it is killed, as an old or as the next version. Prints each recorded id.
import type { CompleteInbox } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrationTable } from '../src/migrations/migrations.ts'
import { openPostgres } from '../src/postgres/index.ts'
import { inboxMigrations as postgresMigrations } from '../src/postgres/migrations.ts'
import { openSqlite } from '../src/sqlite/index.ts'
import { migrate } from '../src/sqlite/migrate.ts'
import { inboxMigrations as sqliteMigrations } from '../src/sqlite/migrations.ts'
import { getDelivery } from './records.ts'

/** An additive change of each table that old processes write to. */
const next: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const table of ['deliveries', 'events', 'notifications', 'idempotency_keys'])
      await schema.alterTable(table).addColumn('later', 'text').execute()
    await schema.createIndex('events_later').on('events').column('later').execute()
    await schema.createTable('later').addColumn('id', 'text').execute()
  },
}

const [place = '', version = '', prefix = ''] = process.argv.slice(2)
const options = { table: migrationTable }

async function open(): Promise<CompleteInbox> {
  if (place.startsWith('postgres:')) {
    const database = await openPostgres({ url: place, migrate: true })
    if (version === 'next')
      await database.migrate({ ...postgresMigrations, '0002-next@0001-initial': next }, options)
    return database.inbox()
  }
  const database = await openSqlite({ path: place })
  if (version === 'next')
    await migrate(database.kysely, { ...sqliteMigrations, '0002-next@0001-initial': next }, options)
  return database.inbox()
}

const inbox = await open()
writeSync(1, 'ready\n')
const ending = new AbortController()
process.stdin.on('end', () => {
  ending.abort()
})
process.stdin.resume()
for (let index = 0; !ending.signal.aborted; index++) {
  const id = `${prefix}:${index}`
  await inbox.record(getDelivery(id))
  writeSync(1, `${id}\n`)
  const works = await inbox.claim('publish', { limit: 10, leaseMs: 500 })
  await inbox.settle(
    'publish',
    works.map(({ event, lease }) => ({ id: event.id, lease, outcome: { status: 'done' } })),
  )
  await sleep(2)
}
process.exit()
