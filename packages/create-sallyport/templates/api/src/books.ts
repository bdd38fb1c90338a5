import { randomUUID } from 'node:crypto'
import type { VerifiedToken } from '@sallyport/auth'
import { createRouteGroup, defineListQuery, requireCurrent, requireFound } from '@sallyport/rest'
import { createListLoader } from '@sallyport/rest/kysely'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { z } from 'zod'
import type { Database } from './database.ts'

const NewBook = z.strictObject({ title: z.string().min(1).max(200), author: z.string().min(1).max(200) })
const Book = NewBook.extend({ id: z.uuid() }).meta({ id: 'Book' })
const params = z.object({ id: z.uuid() })
const query = defineListQuery({ sortable: ['title', 'author'], searchable: ['title', 'author'] })
const route = createRouteGroup<VerifiedToken>({ etag: true, idempotencyKey: true })

export const bookMigrations: Readonly<Record<string, Migration>> = {
  '0001-books': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('books')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

/** Creates the routes of the books of each user. */
export function createBookRoutes({ kysely }: Database) {
  const db = kysely.$extendTables<{ books: z.infer<typeof Book> & { owner: string } }>()
  const select = (owner: string) =>
    db.selectFrom('books').select(['id', 'title', 'author']).where('owner', '=', owner)
  const find = async (id: string, owner: string) =>
    requireFound(await select(owner).where('id', '=', id).executeTakeFirst())

  return [
    route.list('/books', { operationId: 'listBooks', query, item: Book }, (_, { caller }) =>
      createListLoader(select(caller.sub)),
    ),
    route.post(
      '/books',
      { operationId: 'createBook', body: NewBook, data: Book },
      async ({ body }, { caller }) => {
        const book = { id: randomUUID(), ...body }
        await db
          .insertInto('books')
          .values({ ...book, owner: caller.sub })
          .execute()
        return book
      },
    ),
    route.get('/books/{id}', { operationId: 'getBook', params, data: Book }, ({ params }, { caller }) =>
      find(params.id, caller.sub),
    ),
    route.delete('/books/{id}', { operationId: 'deleteBook', params }, async ({ params }, context) => {
      requireCurrent(context, await find(params.id, context.caller.sub))
      await db.deleteFrom('books').where('id', '=', params.id).execute()
    }),
  ]
}
