import { openPostgres } from '@sallyport/sql/postgres'
import { Kysely, PostgresDialect, sql, type Generated } from 'kysely'
import { Pool } from 'pg'

interface Tables {
  customers: { endpoint: string; name: string; has_paid: boolean }
  pushes: { id: Generated<number>; event: string; endpoint: string; head: string }
}
export type NewCustomer = Omit<Tables['customers'], 'endpoint'>

const { DATABASE_URL: url = '' } = process.env
export const database = await openPostgres({ url, migrate: true })
const pool = new Pool({ connectionString: url })
pool.on('connect', (connection) => connection.on('error', console.error)) // of a connection that breaks
/** The client of the application, with connections of its own. */
export const client = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
const tables = sql`create table if not exists customers (endpoint text primary key, name text, has_paid bool);
  create table if not exists pushes (id serial primary key, event text unique, endpoint text, head text)`
await tables.execute(client)

export const close = () => Promise.all([database.close(), client.destroy()])
