import { addRowColumns, createRepository, type StoredRow } from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describeDatabases } from './databases.ts'

export interface AuthorRow extends StoredRow {
  readonly email: string
}

export interface PostRow extends StoredRow {
  readonly author_id: string
  readonly title: string
  readonly body: string | null
}

/** The tables of the suites. */
export type RowTables = { authors: AuthorRow; posts: PostRow }

const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('authors')
      .$call(addRowColumns)
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .execute()
    await db.schema
      .createTable('posts')
      .$call(addRowColumns)
      .addColumn('author_id', 'text', (column) =>
        column.notNull().references('authors.id').onDelete('cascade'),
      )
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text')
      .execute()
  },
}

/** Defines a suite over two related tables, once per database. */
export function describeRows(define: (database: () => Kysely<RowTables>) => void): void {
  describeDatabases({ '0001-rows': migration }, (databases) => {
    define(() => databases()[0])
  })
}

let authors = 0

export function createAuthor(db: Kysely<RowTables>): Promise<AuthorRow> {
  authors += 1
  return createRepository(db, 'authors', { noun: 'author' }).insert({ email: `author${authors}@example.com` })
}
