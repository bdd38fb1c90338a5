import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { afterAll, describe } from 'vitest'
import type { BodiesOptions } from '../src/bodies/body-store.ts'
import type { EncryptionOptions } from '../src/encryption/vault.ts'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import { openSqlite, type InboxTables } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'

/** A database whose tables a test reads. */
export type EncryptedDatabase = Pick<
  PostgresDatabase,
  'bus' | 'consumer' | 'consumers' | 'inbox' | 'queue' | 'unprocessed' | 'rotateKeys' | 'close'
> & { readonly kysely: Kysely<InboxTables> }

/** Opens one database again and again, each time with other keys, or another store of bodies. */
export type OpenWith = (encryption?: EncryptionOptions, bodies?: BodiesOptions) => Promise<EncryptedDatabase>

/** Defines a suite over SQLite and over PostgreSQL. Each call of `create` creates an empty database. */
export function describeEncryptedDatabases(define: (create: () => Promise<OpenWith>) => void): void {
  describe('with SQLite', () => {
    define(async () => {
      const path = await newPath()
      return (encryption, bodies) =>
        openSqlite({ path, ...(encryption && { encryption }), ...(bodies && { bodies }) })
    })
    afterAll(removeFiles)
  })

  describeWith('postgres', (postgres) => {
    let count = 0
    define(() => {
      const schema = `encrypted_${String(++count)}`
      return Promise.resolve(async (encryption, bodies) => {
        const { url } = postgres()
        const options = { ...(encryption && { encryption }), ...(bodies && { bodies }) }
        const database = await openPostgres({ url, schema, migrate: true, ...options })
        return { ...database, kysely: database.kysely.$extendTables<InboxTables>() }
      })
    })
  })
}

const tables = [
  ...(['encryption_keys', 'deliveries', 'delivery_bodies', 'events', 'failures'] as const),
  ...(['bus_events', 'bus_dead_letters', 'queued_events', 'unprocessed_deliveries'] as const),
]

/** Copies all values of the tables, as a thief of a backup reads them. */
export async function copyTables(db: Kysely<InboxTables>): Promise<string> {
  const copies: string[] = []
  for (const table of tables) {
    const rows: readonly object[] = await db.selectFrom(table).selectAll().execute()
    for (const row of rows)
      for (const value of Object.values(row))
        copies.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value))
  }
  const hashes = db.selectFrom('delivery_values').select(sql<string>`cast(hash as text)`.as('hash'))
  const rows = await hashes.execute()
  return [...copies, ...rows.map(({ hash }) => hash)].join('\n')
}
