import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineHttp } from '../frame/http.ts'
import { createRunLoad } from './delivery.ts'
import { seedDeliveries } from './seed-deliveries.ts'
import { openStage, readOutcome, startPeer, type Stage } from './stage.ts'

const sizes = [
  ['10,000 deliveries', 10_000],
  ['1,000,000 deliveries', 1_000_000],
  ['10,000,000 deliveries', 10_000_000],
] as const

/** The timeout of a statement that inserts many rows. */
const seedTimeoutMs = 600_000

async function startOnSqlite({ directory }: Stage, count: number) {
  const data = await mkdtemp(join(directory, 'kept-'))
  const database = await openSqlite({ path: join(data, 'inbox.db') })
  await seedDeliveries(database.kysely, 'sqlite', count)
  await database.close()
  return startPeer('gateway', { INBOX: 'sqlite', DATA_DIR: data })
}

async function startOnPostgres({ databaseUrl }: Stage, count: number) {
  const url = await databaseUrl()
  const database = await openPostgres({ url, statementTimeoutMs: seedTimeoutMs })
  await database.migrate()
  await seedDeliveries(database.kysely, 'postgres', count)
  await database.close()
  return startPeer('gateway', { INBOX: 'postgres', DATABASE_URL: url })
}

const databases = [
  ['sqlite', 'SQLite', startOnSqlite],
  ['postgres', 'PostgreSQL', startOnPostgres],
] as const

export default databases.map(([kind, title, start]) =>
  defineHttp<Stage>({
    name: `kept-${kind}`,
    what: `Signed deliveries of 21 KB to a gateway whose inbox in ${title} keeps an increasing number of deliveries, over 64 connections.`,
    unit: 'deliveries/s',
    base: sizes[0][0],
    connections: 64,
    prepare: openStage,
    release: ({ close }) => close(),
    requests: () => [createRunLoad()],
    agree: readOutcome,
    rounds: 3,
    sides: sizes.map(([name, count]) => ({
      name,
      does: 'The gateway over node:http.',
      start: (stage) => start(stage, count),
    })),
  }),
)
