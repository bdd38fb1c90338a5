import { join } from 'node:path'

/** The part of a payload that the peers read. */
export interface Payload {
  readonly action: string
  readonly workflow_run: { readonly id: number }
}

/** Keeps a delivery. The promise resolves after the delivery is durable. */
export type Keep = (id: string, body: Buffer, payload: Payload) => unknown

const { STORE = '', DATA_DIR = '', DATABASE_URL = '', REDIS_PORT = '' } = process.env
const table = (bytes: string) =>
  `create table deliveries (id text primary key, received_at bigint not null, body ${bytes} not null)`

async function openSqlite(): Promise<Keep> {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(join(DATA_DIR, 'deliveries.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(table('blob'))
  const insert = database.prepare('insert into deliveries values (?, ?, ?) on conflict do nothing')
  return (id, body) => insert.run(id, Date.now(), body)
}

async function openPostgres(): Promise<Keep> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: DATABASE_URL })
  await pool.query(table('bytea'))
  const insert = {
    name: 'insert',
    text: 'insert into deliveries values ($1, $2, $3) on conflict do nothing',
  }
  return (id, body) => pool.query({ ...insert, values: [id, Date.now(), body] })
}

async function openBullMq(): Promise<Keep> {
  const { Queue } = await import('bullmq')
  const queue = new Queue('deliveries', { connection: { host: '127.0.0.1', port: Number(REDIS_PORT) } })
  await queue.waitUntilReady()
  return (id, _, payload) => queue.add('delivery', payload, { jobId: `delivery-${id}` })
}

/** The used part of pg-boss. */
interface PgBossModule {
  readonly PgBoss: new (options: Readonly<Record<string, unknown>>) => {
    readonly on: (name: 'error', listener: (error: Error) => void) => unknown
    readonly start: () => Promise<unknown>
    readonly createQueue: (name: string) => Promise<void>
    readonly send: (name: string, data: object) => Promise<string | null>
  }
}

/** Loads the package that has the name of the store. */
async function openPgBoss(): Promise<Keep> {
  const { PgBoss } = (await import(STORE)) as PgBossModule
  const boss = new PgBoss({ connectionString: DATABASE_URL, supervise: false, schedule: false })
  boss.on('error', (error) => {
    throw error
  })
  await boss.start()
  await boss.createQueue('deliveries')
  return (_, __, payload) => boss.send('deliveries', payload)
}

export const stores = {
  sqlite: openSqlite,
  postgres: openPostgres,
  bullmq: openBullMq,
  'pg-boss': openPgBoss,
} as const satisfies Readonly<Record<string, () => Promise<Keep>>>
