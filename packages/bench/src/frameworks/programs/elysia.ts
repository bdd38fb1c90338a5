import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
import { z } from 'zod'
import { addBook, announce, findBooks } from './books.ts'

const NewBook = z.strictObject({
  title: z.string().min(1).max(200),
  author: z.string().min(1).max(200),
  year: z.int().min(0).max(2100),
})
const Book = NewBook.extend({ id: z.string() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })

new Elysia({ adapter: node() })
  .get('/books', ({ query }) => findBooks(query.limit), { query, response: z.array(Book) })
  .post('/books', ({ body, status }) => status(201, addBook(body)), {
    body: NewBook,
    response: { 201: Book },
  })
  .listen({ port: 0, hostname: '127.0.0.1' }, async (server) => {
    // The port of the option, which is 0, is all that the type has.
    const { raw } = server as unknown as {
      readonly raw: { readonly ready: () => Promise<{ readonly url: string }> }
    }
    announce(Number(new URL((await raw.ready()).url).port))
  })
