import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { CompleteInbox, WebhookEvent } from '@sallyport/webhooks'
import Database from 'better-sqlite3'
import { join } from 'node:path'
import pg from 'pg'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { createRunLoad } from '../webhooks/delivery.ts'
import { openStage, type Stage } from '../webhooks/stage.ts'
import { createEvents, forEachConcurrently, computeRate, createRecord } from './events.ts'

/** An inbox, and a separate table for raw batch inserts. */
interface Store {
  readonly inbox: CompleteInbox
  readonly insert: (events: readonly WebhookEvent[]) => unknown
  readonly close: () => Promise<void>
}

const body = Buffer.from(`${createRunLoad().body ?? ''}1}}`)
const batch = 100
const countFor = (turnMs: number) => Math.round(10_000 * Math.min(1, turnMs / fullTurnMs))

async function openFile({ directory, close }: Stage): Promise<Store> {
  const database = await openSqlite({ path: join(directory, 'inbox.db') })
  const raw = new Database(join(directory, 'raw.db'))
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.exec('create table deliveries (id text primary key, event text not null, body blob not null) strict')
  const one = raw.prepare('insert into deliveries values (?, ?, ?)')
  return {
    inbox: database.inbox(),
    insert: raw.transaction((events: readonly WebhookEvent[]) => {
      for (const event of events) one.run(event.id, JSON.stringify(event), body)
    }),
    async close() {
      raw.close()
      await database.close()
      await close()
    },
  }
}

async function openServer({ databaseUrl, close }: Stage): Promise<Store> {
  const url = await databaseUrl()
  const database = await openPostgres({ url })
  await database.migrate()
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  await pool.query('create table raw (id text primary key, event jsonb not null, body bytea not null)')
  const insert = 'insert into raw select * from unnest($1::text[], $2::jsonb[], $3::bytea[])'
  return {
    inbox: database.inbox(),
    insert: (events) =>
      pool.query(insert, [
        events.map(({ id }) => id),
        events.map((event) => JSON.stringify(event)),
        events.map(() => body),
      ]),
    async close() {
      await pool.end()
      await database.close()
      await close()
    },
  }
}

function recording(name: string, store: string, raw: string, open: (stage: Stage) => Promise<Store>) {
  return defineTrial<Store>({
    name,
    what: `10,000 deliveries of 21 KB into ${store}, without HTTP, until each is durable. A tenth or less with --quick.`,
    unit: 'deliveries/s',
    base: 'raw batches',
    prepare: async () => open(await openStage()),
    release: ({ close }) => close(),
    sides: [
      {
        name: 'raw batches',
        does: `${raw} One row per delivery with its uncompressed body and its event, in batches of ${batch}. A duplicate key fails the batch.`,
        async turn({ insert }, turnMs) {
          const events = createEvents(countFor(turnMs))
          const batches = Array.from({ length: Math.ceil(events.length / batch) }, (_, index) =>
            events.slice(index * batch, (index + 1) * batch),
          )
          const startedAt = performance.now()
          await forEachConcurrently(batches, 2, (some) => Promise.resolve(insert(some)))
          return { value: computeRate(startedAt, events.length) }
        },
      },
      {
        name: 'inbox',
        does: 'Records 500 deliveries at once with group commit: separate tables for delivery, compressed body, event and key, with indexes for lists and claims. Detects duplicates.',
        async turn({ inbox }, turnMs) {
          const events = createEvents(countFor(turnMs))
          const startedAt = performance.now()
          await forEachConcurrently(events, 500, (event) => inbox.record(createRecord(event, body)))
          return { value: computeRate(startedAt, events.length) }
        },
      },
    ],
  })
}

export default [
  recording(
    'record-sqlite',
    'SQLite with `synchronous=FULL`',
    'With better-sqlite3 on the main thread.',
    openFile,
  ),
  recording('record-postgres', 'PostgreSQL', 'With pg and unnest over two connections.', openServer),
]
