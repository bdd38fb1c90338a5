import { openPostgres } from '@sallyport/sql/postgres'
import { migrate, openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import type { Kysely } from 'kysely'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { migrations, migrationTable } from '../src/database/migrations/index.ts'
import type { Tables } from '../src/database/tables.ts'
import { temporaryDirectory } from './server-process.ts'

/** Defines a suite once for each database that the server's tables are kept in, migrated and empty. */
export function describeDatabases(define: (db: () => Kysely<Tables>) => void): void {
  describe('on SQLite', () => {
    defineOn(async () => {
      const directory = await temporaryDirectory()
      const database = await openSqlite({ path: join(directory.path, 'test.db') })
      const db = database.kysely.$extendTables<Tables>()
      await migrate(db, migrations, { table: migrationTable })
      return {
        db,
        async close() {
          await database.close()
          await directory[Symbol.asyncDispose]()
        },
      }
    })
  })
  describeWith('postgres', (postgres) => {
    defineOn(async () => {
      const database = await openPostgres(postgres())
      await database.migrate(migrations, { table: migrationTable })
      return { db: database.kysely as unknown as Kysely<Tables>, close: () => database.close() }
    })
  })

  function defineOn(open: () => Promise<{ db: Kysely<Tables>; close: () => Promise<void> }>): void {
    let opened: Awaited<ReturnType<typeof open>> | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    define(() => {
      if (opened === undefined) throw new Error('Ask for the database within a test')
      return opened.db
    })
  }
}
