import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseBearer, requireRole, type TokenVerifier } from '@sallyport/auth'
import { SallyportError, toErrorResponse, type ErrorEnvelope } from '@sallyport/errors'
import {
  createRouter,
  readRequest,
  requireAcceptsJson,
  type AnyRouteResult,
  type CursorCodec,
  type IdempotentRunner,
  type SaveResponse,
  type RouteBinding,
  type RouteMatch,
  type StoredResponse,
} from '@sallyport/rest'
import { toRetryable } from '../database/contention.ts'
import type { Caller, OwnClaims, RequestContext } from './context.ts'
import { readJsonBody } from './json-body.ts'
import type { LimitOf } from './api-limits.ts'
import { pathOf } from './path.ts'
import { enforce, type Standing } from './rate-limit.ts'
import { send, sendError, serialize } from './response.ts'
import { showStandings } from './standings.ts'
import { noteRoute } from '../telemetry/requests.ts'

export interface ApiOptions {
  readonly bindings: readonly RouteBinding<RequestContext>[]
  readonly verifier: TokenVerifier<OwnClaims>
  readonly cursors: CursorCodec
  /** Told of errors that nobody foresaw. */
  readonly onError: (error: unknown, requestId: string) => void
  /** The network that a request comes from. */
  readonly networkOf: (request: IncomingMessage) => string
  /** Largest JSON body, in bytes. */
  readonly bodyLimit: number
  /** The limit that a route counts against; of requests that find no route, it is asked without one. */
  readonly limitOf: LimitOf
  /** Runs requests with an `Idempotency-Key`. @default the header is ignored */
  readonly idempotent?: IdempotentRunner
}

/** A request as Express hands it on: under the path that it is mounted at, which its URL then lacks. */
export interface MountedRequest extends IncomingMessage {
  method: string
  baseUrl: string
  url: string
}

export type ApiHandler = (request: MountedRequest, response: ServerResponse) => void

type Binding = RouteBinding<RequestContext>

/** What the first look at a request finds: its route and caller, as far as they are, or why it is refused. */
interface Admission {
  readonly match?: RouteMatch<Binding>
  readonly caller?: Caller | undefined
  readonly refusal?: unknown
}

/** An admitted request, beside what Node.js holds of it. */
interface Found {
  readonly binding: Binding
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller | undefined
  /** With its `?`, or empty. */
  readonly query: string
  readonly network: string
  readonly requestId: string
  readonly showStanding: (standing: Standing) => void
}

/**
 * Routes, declared as data, as one handler: find, authenticate, limit, negotiate, validate, handle, answer. It may be
 * mounted on Express, and needs nothing of it.
 *
 * It answers every request under the path that it is mounted at.
 */
export function createApi(options: ApiOptions): ApiHandler {
  const { verifier, cursors, onError, networkOf, bodyLimit, limitOf } = options
  const router = createRouter(options.bindings)
  // A name that there is not shows now, not with the first request.
  for (const { route } of options.bindings) limitOf(route)

  async function answer(request: MountedRequest, response: ServerResponse): Promise<void> {
    const [path, query] = split(request.url)
    const { match, caller, refusal } = await admit(request, path)
    const network = networkOf(request)
    const route = match?.kind === 'route' ? match.binding.route : undefined
    if (route !== undefined) noteRoute(response, request.baseUrl + route.path)
    const showStanding = showStandings(response)
    const client = caller === undefined ? `network ${network}` : `user ${caller.sub}`
    await enforce(limitOf(route), client, showStanding)
    if (match === undefined || refusal !== undefined) throw refusal
    if (match.kind === 'options') {
      response.writeHead(204, { Allow: match.allow }).end()
      return
    }
    const { binding, params } = match
    const requestId = String(response.getHeader('X-Request-Id'))
    const found = { binding, params, caller, query, network, requestId, showStanding }
    send(request, response, await handle(request, found))
  }

  async function admit(request: MountedRequest, path: string): Promise<Admission> {
    let match: RouteMatch<Binding> | undefined
    try {
      match = router.match(request.method, path)
      if (match.kind === 'options' || match.binding.route.access === 'public') return { match }
      return { match, caller: await authenticate(request) }
    } catch (refusal) {
      return { ...(match && { match }), refusal }
    }
  }

  async function authenticate({ headers }: IncomingMessage): Promise<Caller> {
    const token = parseBearer(headers.authorization)
    return verifier.verifyCached(token) ?? (await verifier.verify(token))
  }

  async function handle(request: MountedRequest, found: Found): Promise<StoredResponse> {
    const { params, caller, query } = found
    const { route, handler, review } = found.binding
    if (caller !== undefined && typeof route.access === 'object') requireRole(caller, route.access.roles)
    requireAcceptsJson(request.headers.accept)
    const body =
      route.body === undefined ? undefined : await readJsonBody(request, bodyLimit, route.bodyRequired)
    const contextOf = (path: string): RequestContext => ({
      requestId: found.requestId,
      address: { url: request.baseUrl + path, query },
      path,
      network: found.network,
      showStanding: found.showStanding,
      conditions: {
        method: request.method,
        ifMatch: request.headers['if-match'],
        ifNoneMatch: request.headers['if-none-match'],
      },
      ...(caller && { caller }),
      identify: () => authenticate(request).catch(() => undefined),
    })
    const { idempotent } = options
    const isOnce = idempotent !== undefined && route.idempotencyKey === true && caller !== undefined
    const idempotencyKey = isOnce ? request.headers['idempotency-key']?.toString() : undefined
    const input = await readRequest(
      route,
      { params, query, body: body?.value, idempotencyKey },
      {
        cursors,
        ...(review && { review: (it) => review(it, contextOf(pathOf(route.path, it.params))) }),
      },
    )
    const path = pathOf(route.path, input.params)
    const context = contextOf(path)
    if (!isOnce || idempotencyKey === undefined) return serialize(route, await handler(input, context))

    const run = async (keep: SaveResponse) => {
      let kept: { readonly result: AnyRouteResult; readonly response: StoredResponse } | undefined
      const result = await handler(input, {
        ...context,
        async keep(result, store) {
          const response = serialize(route, result)
          await keep(response, store)
          kept = { result, response }
        },
      })
      // Another result is that of a handler whose transaction was rolled back.
      return kept?.result === result ? kept.response : serialize(route, result)
    }
    const { response } = await idempotent(
      {
        idempotencyKey,
        scope: caller.sub,
        method: request.method,
        path,
        body: body?.bytes ?? '',
      },
      (keep) => run(keep).catch(refusalOf),
    )
    const refusal = keptRefusal(response)
    if (refusal !== undefined) throw refusal
    return response
  }

  return (request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      const error = toRetryable(thrown)
      const status = sendError(request, response, error, leavesTooMuch(request, bodyLimit) ? closing : {})
      if (status >= 500) onError(error, String(response.getHeader('X-Request-Id')))
    })
  }
}

/** A refusal as a response that is kept; what went wrong on this side is thrown on. */
function refusalOf(error: unknown): StoredResponse {
  const { status, headers, body } = toErrorResponse(error)
  if (status >= 500 || status === 429) throw error
  return { status, headers, body: JSON.stringify(body) }
}

/** A kept refusal as the error that it was: each request is answered in the form that it asks for. */
function keptRefusal({ status, headers, body }: StoredResponse): SallyportError | undefined {
  if (status < 400 || body === null) return undefined
  const { error } = JSON.parse(body) as Partial<ErrorEnvelope>
  if (error === undefined) return undefined
  const { code, message, details } = error
  return new SallyportError(code, message, { status, headers, ...(details && { details }) })
}

const closing = { connection: 'close' } as const

/** Whether more of a body is on its way than is worth taking in for the sake of the connection. */
function leavesTooMuch({ complete, headers }: IncomingMessage, limit: number): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limit
}

/** The query has its `?`: of one without, a second `?` would be taken for the first. */
function split(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}
