// A Fastify 5 server with @fastify/jwt and response schemas, as in its documentation.
import jwt from '@fastify/jwt'
import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { settings } from './settings.ts'
import { openUsers, toUser } from './users.ts'

const { directory, secret, issuer, audience, typ, claims } = settings
const users = openUsers(directory)

const app = fastify()
await app.register(jwt, {
  secret,
  verify: {
    algorithms: ['HS256'],
    allowedIss: issuer,
    allowedAud: audience,
    checkTyp: typ,
    requiredClaims: claims,
  },
})
app.addHook('onRequest', async (request) => {
  await request.jwtVerify()
})

const text = { type: 'string' }
const user = {
  type: 'object',
  properties: {
    id: text,
    email: text,
    name: text,
    role: text,
    status: text,
    created_at: text,
    updated_at: text,
  },
}
const whole = { type: 'integer' }
const meta = { type: 'object', properties: { page: whole, limit: whole, total: whole, totalPages: whole } }

app.get<{ Params: { id: string } }>(
  '/api/v1/users/:id',
  { schema: { response: { 200: { type: 'object', properties: { data: user } } } } },
  (request, reply) => {
    const found = users.get(request.params.id)
    if (found === undefined) return reply.code(404).send({ error: 'not found' })
    return reply.send({ data: toUser(found) })
  },
)

app.get<{ Querystring: { page: number; limit: number } }>(
  '/api/v1/users',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: {
          page: { ...whole, minimum: 1, default: 1 },
          limit: { ...whole, maximum: 100, default: 20 },
        },
      },
      response: { 200: { type: 'object', properties: { data: { type: 'array', items: user }, meta } } },
    },
  },
  (request, reply) => {
    const { page, limit } = request.query
    const { rows, total } = users.list(limit, (page - 1) * limit)
    return reply.send({
      data: rows.map(toUser),
      meta: { page, limit, total, totalPages: Math.ceil(total / limit) },
    })
  },
)

await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`Fastify listens on http://localhost:${(app.server.address() as AddressInfo).port}\n`)
