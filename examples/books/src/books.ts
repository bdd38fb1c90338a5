import * as auth from '@sallyport/auth'
import * as rest from '@sallyport/rest'
import { createDocuments } from '@sallyport/rest/openapi'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'

const { JWT_SECRET: secret = '', PORT = '3000' } = process.env
export const port = Number(PORT)
export const tokens = {
  keys: auth.createKeyRing([secret]),
  issuer: 'https://books.example',
  audience: 'books',
}

const NewBook = z.strictObject({ title: z.string().min(1).max(200), author: z.string().min(1).max(200) })
const Book = NewBook.extend({ id: z.uuid(), owner: z.string() }).meta({ id: 'Book' })
const User = z.object({ id: z.string() }).meta({ id: 'User' })
const query = rest.defineListQuery({ sortable: ['title', 'author'], searchable: ['title', 'author'] })
const params = z.object({ id: z.uuid() })
const errors = ['FORBIDDEN']
const books = new Map<string, z.infer<typeof Book>>()

function findOwn(id: string, context: rest.AuthenticatedContext<auth.VerifiedToken>) {
  const book = rest.requireFound(books.get(id))
  auth.requireOwner(context.caller, book.owner)
  rest.requireCurrent(context, book)
  return book
}

const route = rest.createRouteGroup<auth.VerifiedToken>({ etag: true, idempotencyKey: true })
export const api = rest.createApi({
  authenticate: auth.createBearerAuthentication(tokens),
  secrets: [secret],
  idempotency: rest.createMemoryIdempotencyStore(),
  documents: createDocuments({ title: 'Books', version: '1.0.0' }),
  routes: [
    route.get('/me', { operationId: 'getMe', data: User }, (_, { caller }) => ({ id: caller.sub })),
    route.list('/books', { operationId: 'listBooks', query, item: Book }, () => [...books.values()]),
    route.post('/books', { operationId: 'createBook', body: NewBook, data: Book }, ({ body }, { caller }) => {
      const book = { ...body, id: randomUUID(), owner: caller.sub }
      books.set(book.id, book)
      return book
    }),
    route.get('/books/{id}', { operationId: 'getBook', params, data: Book }, ({ params }) =>
      rest.requireFound(books.get(params.id)),
    ),
    route.patch(
      '/books/{id}',
      { operationId: 'patchBook', params, body: NewBook.partial(), data: Book, errors },
      ({ params, body }, context) => Object.assign(findOwn(params.id, context), body),
    ),
    route.delete('/books/{id}', { operationId: 'deleteBook', params, errors }, ({ params }, context) => {
      books.delete(findOwn(params.id, context).id)
    }),
  ],
})
