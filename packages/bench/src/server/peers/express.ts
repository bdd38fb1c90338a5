// A bare Express 5 server, as in its documentation.
import express, { type RequestHandler } from 'express'
import { jwtVerify } from 'jose'
import { createSecretKey } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { settings } from './settings.ts'
import { openUsers, toUser } from './users.ts'

const { directory, secret, issuer, audience, typ, claims } = settings
const users = openUsers(directory)
const key = createSecretKey(secret, 'utf8').toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
const expected = { algorithms: ['HS256'], issuer, audience, typ, requiredClaims: claims }

const authenticated: RequestHandler = async (request, response, next) => {
  const { authorization = '' } = request.headers
  try {
    await jwtVerify(authorization.replace(/^Bearer /, ''), key, expected)
  } catch {
    response.status(401).json({ error: 'unauthorized' })
    return
  }
  next()
}

const app = express()
app.disable('x-powered-by')

app.get('/api/v1/users/:id', authenticated, (request, response) => {
  const user = users.get(String(request.params['id']))
  if (user === undefined) response.status(404).json({ error: 'not found' })
  else response.json({ data: toUser(user) })
})

app.get('/api/v1/users', authenticated, (request, response) => {
  const [page, limit] = [Number(request.query['page'] ?? 1), Number(request.query['limit'] ?? 20)]
  const { rows, total } = users.list(limit, (page - 1) * limit)
  const meta = { page, limit, total, totalPages: Math.ceil(total / limit) }
  response.json({ data: rows.map(toUser), meta })
})

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Express listens on http://localhost:${port}\n`)
})
