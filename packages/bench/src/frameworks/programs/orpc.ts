import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { os } from '@orpc/server'
import { z } from 'zod'
import { addBook, announce, findBooks } from './books.ts'

const NewBook = z.strictObject({
  title: z.string().min(1).max(200),
  author: z.string().min(1).max(200),
  year: z.int().min(0).max(2100),
})
const Book = NewBook.extend({ id: z.string() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })

const handler = new OpenAPIHandler({
  list: os
    .route({ method: 'GET', path: '/books' })
    .input(query)
    .output(z.array(Book))
    .handler(({ input }) => findBooks(input.limit)),
  create: os
    .route({ method: 'POST', path: '/books', successStatus: 201 })
    .input(NewBook)
    .output(Book)
    .handler(({ input }) => addBook(input)),
})
const server = createServer(async (request, response) => {
  const { matched } = await handler.handle(request, response)
  if (!matched) response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => {
  announce((server.address() as AddressInfo).port)
})
