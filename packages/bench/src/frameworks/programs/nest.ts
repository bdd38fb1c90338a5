import 'reflect-metadata'
import type { AddressInfo, Server } from 'node:net'
import {
  Body,
  Controller,
  Get,
  Module,
  Post,
  Query,
  SerializeOptions,
  StandardSchemaSerializerInterceptor,
  StandardSchemaValidationPipe,
} from '@nestjs/common'
import { NestFactory, Reflector } from '@nestjs/core'
import { z } from 'zod'
import { addBook, announce, findBooks } from './books.ts'

const NewBook = z.strictObject({
  title: z.string().min(1).max(200),
  author: z.string().min(1).max(200),
  year: z.int().min(0).max(2100),
})
const Book = NewBook.extend({ id: z.string() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })

@Controller('books')
class BooksController {
  @Get()
  @SerializeOptions({ schema: Book })
  list(@Query({ schema: query }) { limit }: z.infer<typeof query>) {
    return findBooks(limit)
  }

  @Post()
  @SerializeOptions({ schema: Book })
  create(@Body({ schema: NewBook }) body: z.infer<typeof NewBook>) {
    return addBook(body)
  }
}

@Module({ controllers: [BooksController] })
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest identifies a module by its class.
class BooksModule {}

const app = await NestFactory.create(BooksModule, { logger: false })
app.useGlobalPipes(new StandardSchemaValidationPipe())
app.useGlobalInterceptors(new StandardSchemaSerializerInterceptor(app.get(Reflector)))
await app.listen(0, '127.0.0.1')
announce(((app.getHttpServer() as Server).address() as AddressInfo).port)
