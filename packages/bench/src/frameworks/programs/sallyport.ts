import { createApi, createRouteGroup } from '@sallyport/rest'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { z } from 'zod'
import { addBook, announce, findBooks } from './books.ts'

const NewBook = z.strictObject({
  title: z.string().min(1).max(200),
  author: z.string().min(1).max(200),
  year: z.int().min(0).max(2100),
})
const Book = NewBook.extend({ id: z.string() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })

const route = createRouteGroup({ access: 'public', rateLimit: false })
const api = createApi({
  routes: [
    route.get('/books', { operationId: 'listBooks', query, data: z.array(Book) }, ({ query }) =>
      findBooks(query.limit),
    ),
    route.post('/books', { operationId: 'createBook', body: NewBook, data: Book }, ({ body }) =>
      addBook(body),
    ),
  ],
})
const { port } = await listen(createNodeListener(api), { host: '127.0.0.1', port: 0 })
announce(port)
