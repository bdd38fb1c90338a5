import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineHttp, type HttpSide } from '../frame/http.ts'
import { createEnvironment, startReference } from '../server/environment.ts'
import { createRunLoad, secret } from './delivery.ts'
import { startRedis } from './redis-server.ts'
import { openStage, readOutcome, startGateway, startPeer, type Stage } from './stage.ts'

interface DurableStage extends Stage {
  readonly redisPort: number
}

const names = {
  sqlitePeer: 'Express, better-sqlite3',
  postgresPeer: 'Express, pg',
  bullmq: 'Express, BullMQ',
  pgBoss: 'Express, pg-boss',
  floor: 'floor',
  sqlite: 'gateway, SQLite',
  postgres: 'gateway, PostgreSQL',
  encryptedSqlite: 'gateway, SQLite, encrypted',
  encryptedPostgres: 'gateway, PostgreSQL, encrypted',
  referenceSqlite: 'reference server, SQLite',
  referencePostgres: 'reference server, PostgreSQL',
}

const express = 'Express 5 with express.raw, verify of @octokit/webhooks-methods, JSON.parse,'
const gateway = 'The complete gateway with a dispatcher to a bus that discards events.'
const reference =
  'The complete server: the gateway, the embedded bus in the same database, a notification to the log for each delivery, one log line per delivery and attempt, metrics, request ids.'

const makeDirectory = ({ directory }: Stage) => mkdtemp(join(directory, 'server-'))

const sides: readonly HttpSide<DurableStage>[] = [
  {
    name: names.sqlitePeer,
    does: `${express} and one \`INSERT ... ON CONFLICT DO NOTHING\` per request with \`synchronous=FULL\`. No events, no compression.`,
    start: async (stage) => startPeer('durable', { STORE: 'sqlite', DATA_DIR: await makeDirectory(stage) }),
  },
  {
    name: names.postgresPeer,
    does: `${express} and one named \`INSERT ... ON CONFLICT DO NOTHING\` per request over a pool of ten connections. No events.`,
    start: async ({ databaseUrl }) =>
      startPeer('durable', { STORE: 'postgres', DATABASE_URL: await databaseUrl() }),
  },
  {
    name: names.bullmq,
    does: `${express} and \`queue.add\` with the id of the run as job id, on a separate Redis with \`appendfsync always\`. No worker runs.`,
    start: ({ redisPort }) => startPeer('durable', { STORE: 'bullmq', REDIS_PORT: String(redisPort) }),
  },
  {
    name: names.pgBoss,
    does: `${express} and \`boss.send\` over a pool of ten connections. No deduplication. No worker and no maintenance run.`,
    start: async ({ databaseUrl }) =>
      startPeer('durable', { STORE: 'pg-boss', DATABASE_URL: await databaseUrl() }),
  },
  {
    name: names.floor,
    does: 'The unavoidable work on node:http: reads, verifies, parses, appends the body to a file, and answers after `fdatasync`. Bodies that arrive during a commit share the next one. No limits, events, deduplication or lists.',
    start: async (stage) => startPeer('floor', { DATA_DIR: await makeDirectory(stage) }),
  },
  {
    name: names.sqlite,
    does: `${gateway} Records in a SQLite file with \`synchronous=FULL\`.`,
    start: (stage) => startGateway(stage, 'sqlite'),
  },
  {
    name: names.postgres,
    does: `${gateway} Records in PostgreSQL.`,
    start: (stage) => startGateway(stage, 'postgres'),
  },
  {
    name: names.encryptedSqlite,
    does: `${gateway} Encrypts what it records in a SQLite file with \`synchronous=FULL\`.`,
    start: (stage) => startGateway(stage, 'sqlite', { ENCRYPT: '1' }),
  },
  {
    name: names.encryptedPostgres,
    does: `${gateway} Encrypts what it records in PostgreSQL.`,
    start: (stage) => startGateway(stage, 'postgres', { ENCRYPT: '1' }),
  },
  {
    name: names.referenceSqlite,
    does: `${reference} On SQLite with \`synchronous=FULL\`.`,
    start: (stage) => startServer(stage, {}),
  },
  {
    name: names.referencePostgres,
    does: `${reference} On PostgreSQL.`,
    start: async (stage) => startServer(stage, { DATABASE_URL: await stage.databaseUrl() }),
  },
]

async function startServer(stage: Stage, settings: Readonly<Record<string, string>>) {
  const environment = createEnvironment(await makeDirectory(stage))
  return startReference({ ...environment, WEBHOOK_SECRET_CODEHOST: secret, ...settings })
}

async function openDurableStage(): Promise<DurableStage> {
  const stage = await openStage()
  try {
    const redis = await startRedis(stage.directory)
    const close = async () => {
      await redis.stop()
      await stage.close()
    }
    return { ...stage, redisPort: redis.port, close }
  } catch (error) {
    await stage.close()
    throw error
  }
}

const common = {
  unit: 'deliveries/s',
  connections: 64,
  prepare: openDurableStage,
  release: ({ close }: DurableStage) => close(),
  requests: () => [createRunLoad()],
  agree: readOutcome,
} as const

export default [
  defineHttp<DurableStage>({
    ...common,
    name: 'durable',
    what: 'Signed deliveries of 21 KB, each with a new event, to servers that answer after the delivery is on the disk; 64 connections. Load generator, servers and databases share the cores of this machine.',
    base: names.floor,
    sides,
    target: [
      { side: names.sqlite, than: names.sqlitePeer, atLeast: 3.3 },
      { side: names.postgres, than: names.postgresPeer, atLeast: 1.8 },
      { side: names.referenceSqlite, than: names.sqlitePeer, atLeast: 2.8 },
      { side: names.referencePostgres, than: names.postgresPeer, atLeast: 1.2 },
      { side: names.referenceSqlite, than: names.sqlite, atLeast: 0.85 },
      { side: names.referencePostgres, than: names.postgres, atLeast: 0.85 },
      { side: names.encryptedSqlite, than: names.sqlite, atLeast: 0.8 },
      { side: names.encryptedPostgres, than: names.postgres, atLeast: 0.8 },
      { side: names.sqlite, atLeast: 0.8 },
      { side: names.postgres, atLeast: 0.75 },
      { side: names.referenceSqlite, atLeast: 0.7 },
      { side: names.referencePostgres, atLeast: 0.7 },
    ],
  }),
  defineHttp<DurableStage>({
    ...common,
    name: 'durable-paced',
    what: 'The same at 70 % of the maximum rate of each side.',
    base: names.sqlitePeer,
    ratio: 'p99',
    share: 0.7,
    sides: sides.filter(({ name }) => name !== names.floor),
    target: [
      { side: names.sqlite, atMost: 1 },
      { side: names.postgres, than: names.postgresPeer, atMost: 1 },
      { side: names.referenceSqlite, atMost: 1 },
      { side: names.referencePostgres, than: names.postgresPeer, atMost: 1 },
    ],
  }),
]
