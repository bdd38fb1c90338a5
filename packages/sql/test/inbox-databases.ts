import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { afterAll, describe } from 'vitest'
import { openPostgres } from '../src/postgres/index.ts'
import { openSqlite, type InboxTables, type SqliteDatabase } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'

/** A database with the tables of the inbox and of the embedded bus. */
export type InboxDatabase = Pick<
  SqliteDatabase,
  'bus' | 'consumer' | 'consumers' | 'inbox' | 'once' | 'queue' | 'replayJobs' | 'transactional' | 'close'
> & {
  readonly kysely: Kysely<InboxTables>
}

/** Defines a suite over SQLite and over PostgreSQL. Each call of `open` opens an empty database. */
export function describeInboxDatabases(define: (open: () => Promise<InboxDatabase>) => void): void {
  describe('with SQLite', () => {
    define(async () => openSqlite({ path: await newPath(), handlerTransactionMs: 5000 }))
    afterAll(removeFiles)
  })

  describeWith('postgres', (postgres) => {
    let count = 0
    define(async () => {
      const schema = `inbox_${String(++count)}`
      const { url } = postgres()
      const owner = await openPostgres({ url })
      await sql`create schema ${sql.ref(schema)}`.execute(owner.kysely)
      await owner.close()
      const database = await openPostgres({ url, schema })
      await database.migrate()
      const { kysely, ...shared } = database
      return { ...shared, kysely: kysely.$extendTables<InboxTables>() }
    })
  })
}

/** The events of the dead letters of the embedded bus. */
export async function readDeadLetters({ kysely }: InboxDatabase): Promise<readonly unknown[]> {
  const rows = await kysely.selectFrom('bus_dead_letters').select('event').execute()
  return rows.map(({ event }) => JSON.parse(event) as unknown)
}
