// An API with one protected route. KEY is a secret, or a public key in PEM.
import { createBearerAuthentication, createKeyRing, type VerifiedToken } from '@sallyport/auth'
import { createApi, createRouteGroup } from '@sallyport/rest'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { z } from 'zod'
import { parties, type Algorithm } from './tokens.ts'

const { ALG = 'HS256', KEY = '', CACHE_MAX = '0' } = process.env
const alg = ALG as Algorithm
const keys = createKeyRing([alg === 'HS256' ? KEY : { alg, publicKey: KEY }])
const route = createRouteGroup<VerifiedToken>()
const data = z.object({ id: z.string() })

const api = createApi({
  authenticate: createBearerAuthentication({ keys, ...parties, cache: { max: Number(CACHE_MAX) } }),
  routes: [route.get('/me', { operationId: 'getMe', data }, (_, { caller }) => ({ id: caller.sub }))],
})
const { port } = await listen(createNodeListener(api), { host: '127.0.0.1', port: 0 })
process.stdout.write(`The API listens on http://localhost:${port}\n`)
