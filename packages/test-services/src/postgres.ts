import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Service } from './service.ts'

/** A database that nothing else uses. */
export interface PostgresConnection {
  /** `postgres://…`, of the fresh database. */
  readonly url: string
}

const serverUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** PostgreSQL at `TEST_POSTGRES_URL`, by a role that may create databases. */
export const postgres: Service<PostgresConnection> = {
  title: 'PostgreSQL',
  hint: 'start one on 127.0.0.1:5432 that trusts the role postgres, or set TEST_POSTGRES_URL',

  async probe() {
    await onServer('select 1')
  },

  async open() {
    const name = `sallyport_test_${randomBytes(8).toString('hex')}`
    // Nobody can be connected to template0, so that suites which start at once do not get into each other's way.
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
 * Waits for the connections of pools that have ended: they tell so before their sockets are closed, and a connection
 * that is cut off then is an error that nobody listens for. Gives up after a second.
 */
async function untilUnused(name: string): Promise<void> {
  const inUse = `select 1 from pg_stat_activity where datname = '${name}' limit 1`
  for (let attempt = 0; attempt < 20 && (await onServer(inUse)) > 0; attempt += 1) await sleep(50)
}

/** @returns how many rows the statement gave */
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
