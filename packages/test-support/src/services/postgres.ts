import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Service } from './service.ts'

/** An empty database that only the suite uses. */
export interface PostgresDatabase {
  /** `postgres://…` of the database. */
  readonly url: string
}

const serverUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** PostgreSQL at `TEST_POSTGRES_URL`, with a role that may create databases. */
export const postgres: Service<PostgresDatabase> = {
  title: 'PostgreSQL',
  hint: 'start one on 127.0.0.1:5432 that trusts the role postgres, or set TEST_POSTGRES_URL',

  async probe() {
    await onServer('select 1')
  },

  async open() {
    const name = `sallyport_test_${randomBytes(8).toString('hex')}`
    // template0 allows no connections, so concurrent suites do not block each other.
    await onServer(`create database ${name} template template0`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return {
      connection: { url: url.href },
      close: async () => {
        await untilUnused(name)
        await onServer(`drop database ${name} with (force)`)
      },
    }
  },
}

/**
 * Waits up to a second until the pools have closed their sockets. Otherwise the server would cut a connection, and the
 * error would be uncaught.
 */
async function untilUnused(name: string): Promise<void> {
  const inUse = `select 1 from pg_stat_activity where datname = '${name}' limit 1`
  for (let attempt = 0; attempt < 20 && (await onServer(inUse)) > 0; attempt += 1) await sleep(50)
}

/** Runs a statement and returns its number of rows. */
async function onServer(statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    const { rows } = await client.query(statement)
    return rows.length
  } finally {
    await client.end()
  }
}
