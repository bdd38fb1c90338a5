import { createBearerAuthentication, type TokenVerifier, type VerifiedToken } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import * as rest from '@sallyport/rest'
import { createDocuments } from '@sallyport/rest/openapi'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'

type Context = rest.ApiContext<VerifiedToken<Record<string, unknown>>>
const fields = { title: z.string().min(1).max(200), author: z.string().min(1).max(200) }
const Book = z.object({ id: z.uuid(), ...fields, owner: z.string() }).meta({ id: 'Book' })
type Book = z.infer<typeof Book>
const data = { description: 'The book', data: Book }
const common = { tags: ['books'], access: 'authenticated', etag: true } as const
const item = { ...common, path: '/books/{id}', params: z.object({ id: z.uuid() }) } as const

const routes = {
  me: rest.defineRoute({
    ...common,
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    summary: 'Get yourself',
    responses: { 200: { description: 'You', data: z.object({ id: z.string() }) } },
  }),
  list: rest.defineRoute({
    ...common,
    method: 'GET',
    path: '/books',
    operationId: 'listBooks',
    summary: 'List books',
    query: rest.defineListQuery({ sortable: ['title', 'author'], searchable: ['title', 'author'] }),
    responses: { 200: { description: 'A page of books', list: Book } },
  }),
  create: rest.defineRoute({
    ...common,
    method: 'POST',
    path: '/books',
    operationId: 'createBook',
    summary: 'Create a book',
    body: z.strictObject(fields),
    idempotencyKey: true,
    responses: { 201: data },
  }),
  get: rest.defineRoute({
    ...item,
    method: 'GET',
    operationId: 'getBook',
    summary: 'Get a book',
    errors: ['NOT_FOUND'],
    responses: { 200: data },
  }),
  patch: rest.defineRoute({
    ...item,
    method: 'PATCH',
    operationId: 'patchBook',
    summary: 'Change a book',
    body: z.strictObject(fields).partial(),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    responses: { 200: data },
  }),
  remove: rest.defineRoute({
    ...item,
    method: 'DELETE',
    operationId: 'deleteBook',
    summary: 'Delete a book',
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    responses: { 204: { description: 'The book is deleted' } },
  }),
}

/** Creates the API of books in memory. */
export function createBooksApi(verifier: TokenVerifier<Record<string, unknown>>, secret: string): rest.Api {
  const books = new Map<string, Book>()
  const getCallerId = ({ caller }: Context) => caller?.sub ?? ''
  const show = (book: Book) => ({ headers: { ETag: getETag(book) }, body: { data: book } })
  const getETag = (book: Book) => rest.hashETag(JSON.stringify(book))
  function find(id: string, changing?: Context) {
    const book = books.get(id)
    if (book === undefined) throw new SallyportError('NOT_FOUND', 'There is no such book')
    if (changing && book.owner !== changing.caller?.sub)
      throw new SallyportError('FORBIDDEN', 'Only its owner may change a book')
    if (changing) rest.checkPreconditions({ ...changing.conditions, etag: getETag(book) })
    return book
  }
  const save = (book: Book) => {
    books.set(book.id, book)
    return show(book)
  }
  return rest.createApi({
    routes: [
      rest.bindRoute(routes.me, (_, context: Context) => {
        return { status: 200, body: { data: { id: getCallerId(context) } } }
      }),
      rest.bindRoute(routes.list, ({ query }, context: Context) =>
        rest.answerList(query, context, [...books.values()]),
      ),
      rest.bindRoute(routes.create, ({ body }, context: Context) => {
        return { status: 201, ...save({ ...body, id: randomUUID(), owner: getCallerId(context) }) }
      }),
      rest.bindRoute(routes.get, ({ params }) => ({ status: 200, ...show(find(params.id)) })),
      rest.bindRoute(routes.patch, ({ params, body }, context: Context) => {
        const { title, author, ...book } = find(params.id, context)
        return {
          status: 200,
          ...save({ ...book, title: body.title ?? title, author: body.author ?? author }),
        }
      }),
      rest.bindRoute(routes.remove, ({ params }, context: Context) => {
        books.delete(find(params.id, context).id)
        return { status: 204 }
      }),
    ],
    authenticate: createBearerAuthentication(verifier),
    secrets: [secret],
    idempotency: rest.createMemoryIdempotencyStore(),
    documents: createDocuments({ title: 'Books', version: '1.0.0' }),
  })
}
