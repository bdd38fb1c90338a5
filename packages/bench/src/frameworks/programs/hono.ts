import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { addBook, announce, findBooks } from './books.ts'

const NewBook = z.strictObject({
  title: z.string().min(1).max(200),
  author: z.string().min(1).max(200),
  year: z.int().min(0).max(2100),
})
const Book = NewBook.extend({ id: z.string() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })
const toContent = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

const app = new OpenAPIHono()
app.openapi(
  createRoute({
    method: 'get',
    path: '/books',
    request: { query },
    responses: { 200: { description: 'The books', content: toContent(z.array(Book)) } },
  }),
  (context) => context.json(findBooks(context.req.valid('query').limit), 200),
)
app.openapi(
  createRoute({
    method: 'post',
    path: '/books',
    request: { body: { required: true, content: toContent(NewBook) } },
    responses: { 201: { description: 'The new book', content: toContent(Book) } },
  }),
  (context) => context.json(addBook(context.req.valid('json')), 201),
)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  announce(port)
})
