// A NestJS server on Express with a guard, as in its documentation. The decorators are called as functions, because
// Node.js runs only erasable TypeScript.
import 'reflect-metadata'
import {
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  Query,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Request } from 'express'
import { jwtVerify } from 'jose'
import { createSecretKey } from 'node:crypto'
import type { AddressInfo, Server } from 'node:net'
import { settings } from './settings.ts'
import { openUsers, toUser } from './users.ts'

const { directory, secret, issuer, audience, typ, claims } = settings
const users = openUsers(directory)
const key = createSecretKey(secret, 'utf8').toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
const expected = { algorithms: ['HS256'], issuer, audience, typ, requiredClaims: claims }

class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { authorization = '' } = context.switchToHttp().getRequest<Request>().headers
    try {
      await jwtVerify(authorization.replace(/^Bearer /, ''), key, expected)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}

class UsersController {
  one(id: string) {
    const user = users.get(id)
    if (user === undefined) throw new NotFoundException()
    return { data: toUser(user) }
  }

  list(pageText = '1', limitText = '20') {
    const [page, limit] = [Number(pageText), Number(limitText)]
    const { rows, total } = users.list(limit, (page - 1) * limit)
    return { data: rows.map(toUser), meta: { page, limit, total, totalPages: Math.ceil(total / limit) } }
  }
}

const decorate = (name: 'one' | 'list', decorator: MethodDecorator) => {
  const descriptor = Object.getOwnPropertyDescriptor(UsersController.prototype, name)
  if (descriptor) decorator(UsersController.prototype, name, descriptor)
}
Controller('api/v1/users')(UsersController)
UseGuards(TokenGuard)(UsersController)
decorate('one', Get(':id'))
Param('id')(UsersController.prototype, 'one', 0)
decorate('list', Get())
Query('page')(UsersController.prototype, 'list', 0)
Query('limit')(UsersController.prototype, 'list', 1)

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest identifies a module by its class.
class UsersModule {}
Module({ controllers: [UsersController] })(UsersModule)

const app = await NestFactory.create(UsersModule, { logger: false })
await app.listen(0, '127.0.0.1')
const { port } = (app.getHttpServer() as Server).address() as AddressInfo
process.stdout.write(`Nest listens on http://localhost:${port}\n`)
