import { createSqliteTable, testListLoader, type Book } from '@sallyport/test-support/lists'
import BetterSqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, describe } from 'vitest'
import { createListLoader } from './list-query.ts'

describe('the loader of Kysely on SQLite', () => {
  const database = new BetterSqlite(':memory:')
  const db = new Kysely<{ books: Book }>({ dialect: new SqliteDialect({ database }) })
  afterAll(() => db.destroy())
  testListLoader(async () => {
    database.exec(createSqliteTable)
    return await Promise.resolve(
      createListLoader(db.selectFrom('books').selectAll(), {
        toParameter: (value) =>
          typeof value === 'string' && value.startsWith('2026-') ? Date.parse(value) : value,
      }),
    )
  })
})
