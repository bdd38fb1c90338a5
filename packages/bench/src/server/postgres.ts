import { openPostgres } from '@sallyport/sql/postgres'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'

const serverUrl = process.env['BENCH_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Creates a separate database on the PostgreSQL at `BENCH_POSTGRES_URL`. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `sallyport_bench_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

async function onServer(statement: string): Promise<void> {
  const server = await openPostgres({ url: serverUrl, maxConnections: 1 })
  try {
    await sql.raw(statement).execute(server.kysely)
  } finally {
    await server.close()
  }
}
