/**
 * A module of a user that exports what the functions of the packages return. Its declarations must be able to name these
 * types. No code runs.
 */
import {
  createApi,
  createCursorCodec,
  createIdempotency,
  createMemoryIdempotencyStore,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  streamBody,
  answerList,
  formatETag,
  type ApiContext,
  type ApiRequest,
  type ListQuery,
  type IdempotentRequest,
  listFilter,
} from '@sallyport/rest'
import { answerDownload } from '@sallyport/rest/download'
import { answerEventStream } from '@sallyport/rest/event-stream'
import { createMcpRoute } from '@sallyport/rest/mcp'
import { createExpressHandler } from '@sallyport/rest/express'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { createDocuments, createOpenApiDocument } from '@sallyport/rest/openapi'
import { createPageLoader } from '@sallyport/rest/store'
import * as auth from '@sallyport/auth'
import { createPasswordHasher } from '@sallyport/auth/password'
import { z } from 'zod'

export const route = createRouteGroup<auth.VerifiedToken>()
export const query = defineListQuery({ sortable: ['id'], filterable: { kind: listFilter.oneOf(['a']) } })
export const list = route.list(
  '/x',
  { operationId: 'x', query, item: z.object({ id: z.string() }) },
  () => [],
)
export const api = createApi({ routes: [] })
export const tools = createMcpRoute({ name: 'x', version: '1', routes: [list] })
export const handle = (request: ApiRequest) => api.handle(request)
export const documents = createDocuments({ title: 'x', version: '1' })
export const document = createOpenApiDocument({ routes: api.routes, info: { title: 'x', version: '1' } })
export const body = streamBody({ limit: 1 })
export const once = createIdempotency({ store: createMemoryIdempotencyStore(), keys: ['x'] })
export const runOnce = (request: IdempotentRequest) =>
  once(request, () => Promise.resolve({ status: 200, headers: {}, body: null }))
export const codec = createCursorCodec({ keys: ['x'] })
export const listener = createNodeListener(api)
export const server = listen(listener, { host: 'x', port: 1 })
export const ex = createExpressHandler(api)
export const load = createPageLoader({
  find: () => Promise.resolve([{ id: 1 }]),
  count: () => Promise.resolve(1),
})
export const answer = (context: ApiContext, q: ListQuery) => answerList(q, context, [{ id: 1 }])
export const envelope = dataEnvelope('x')
export const parsed = (text: string) => query.parse(text)
export const tag = formatETag(1)
export const download = (context: ApiContext) =>
  answerDownload(context, { size: 1, filename: 'x', open: () => new ReadableStream() })
export const stream = (context: ApiContext) =>
  answerEventStream(context, { events: () => ReadableStream.from([{ data: 'x' }]).values() })
export const keys = auth.createKeyRing(['x'])
export const jwks = () => keys.jwks()
export const issuer = auth.createTokenIssuer({ keys, issuer: 'x', audience: 'x' })
export const issue = () => issuer.issue({ sub: 'x', sid: 'y' })
export const verifier = auth.createTokenVerifier({ keys, issuer: 'x', audience: 'x' })
export const verify = (text: string) => verifier.verify(text)
export const sessions = auth.createSessions({ store: auth.createMemorySessionStore(), secrets: ['x'] })
export const create = () => sessions.create({ userId: 'x' })
export const resume = () => sessions.resume('x', {} as never)
export const cookies = auth.createCookieSessions({} as never)
export const apiKeys = auth.createApiKeys({
  store: auth.createMemoryApiKeyStore(),
  getOwner: () => ({ id: 'x' }),
})
export const verifyKey = () => apiKeys.verify('x')
export const createKey = () => apiKeys.create({} as never)
export const cache = auth.createRevocationCache({ lookup: () => false })
export const remote = auth.createRemoteKeys('https://x', {} as never)
export const hasher = createPasswordHasher()
export const verdict = () => hasher.verify('a', 'b')
