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
import type { SelectLimit } from './api-limits.ts'
import { formatPath } from './path.ts'
import { enforce, type LimitState } from './rate-limit.ts'
import { send, sendError, serialize } from './response.ts'
import { createRateLimitWriter } from './rate-limit-headers.ts'
import { noteRoute } from '../telemetry/requests.ts'

export interface ApiOptions {
  readonly bindings: readonly RouteBinding<RequestContext>[]
  readonly verifier: TokenVerifier<OwnClaims>
  readonly cursors: CursorCodec
  /** Called for unexpected errors. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Returns the network of the client. */
  readonly networkOf: (request: IncomingMessage) => string
  /** Largest JSON body, in bytes. */
  readonly bodyLimit: number
  /** Selects the rate limit of a route; called without a route for unknown paths. */
  readonly selectLimit: SelectLimit
  /** Runs requests with an `Idempotency-Key`. @default the header is ignored */
  readonly idempotent?: IdempotentRunner
}

/** A request as mounted middleware of Express receives it: `url` does not contain the mount path `baseUrl`. */
export interface MountedRequest extends IncomingMessage {
  method: string
  baseUrl: string
  url: string
}

export type ApiHandler = (request: MountedRequest, response: ServerResponse) => void

type Binding = RouteBinding<RequestContext>

/** The route and the caller of a request, or the error of the lookup. */
interface Admission {
  readonly match?: RouteMatch<Binding>
  readonly caller?: Caller | undefined
  readonly refusal?: unknown
}

/** The parsed parts of an admitted request. */
interface Found {
  readonly binding: Binding
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller | undefined
  /** With its `?`, or empty. */
  readonly query: string
  readonly network: string
  readonly requestId: string
  readonly showRateLimit: (state: LimitState) => void
}

/**
 * Creates one handler from declared routes. The handler finds the route, authenticates, applies the rate limit, negotiates,
 * validates, calls the route's handler and sends the response. It can be mounted on Express, but does not need Express.
 * The handler answers every request under its mount path.
 */
export function createApi(options: ApiOptions): ApiHandler {
  const { verifier, cursors, onError, networkOf, bodyLimit, selectLimit } = options
  const router = createRouter(options.bindings)
  // Throws for an unknown rate limit at the start.
  for (const { route } of options.bindings) selectLimit(route)

  async function answer(request: MountedRequest, response: ServerResponse): Promise<void> {
    const [path, query] = split(request.url)
    const { match, caller, refusal } = await admit(request, path)
    const network = networkOf(request)
    const route = match?.kind === 'route' ? match.binding.route : undefined
    if (route !== undefined) noteRoute(response, request.baseUrl + route.path)
    const showRateLimit = createRateLimitWriter(response)
    const client = caller === undefined ? `network ${network}` : `user ${caller.sub}`
    await enforce(selectLimit(route), client, showRateLimit)
    if (match === undefined || refusal !== undefined) throw refusal
    if (match.kind === 'options') {
      response.writeHead(204, { Allow: match.allow }).end()
      return
    }
    const { binding, params } = match
    const requestId = String(response.getHeader('X-Request-Id'))
    const found = { binding, params, caller, query, network, requestId, showRateLimit }
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
    const createContext = (path: string): RequestContext => ({
      requestId: found.requestId,
      address: { url: request.baseUrl + path, query },
      path,
      network: found.network,
      showRateLimit: found.showRateLimit,
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
        ...(review && { review: (it) => review(it, createContext(formatPath(route.path, it.params))) }),
      },
    )
    const path = formatPath(route.path, input.params)
    const context = createContext(path)
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
      // The results differ if the transaction of the saved result was rolled back.
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
      (keep) => run(keep).catch(toStoredRefusal),
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

/** Converts a client error to a response that is stored for the key; other errors are thrown. */
function toStoredRefusal(error: unknown): StoredResponse {
  const { status, headers, body } = toErrorResponse(error)
  if (status >= 500 || status === 429) throw error
  return { status, headers, body: JSON.stringify(body) }
}

/** Restores the error of a stored response, so that each request gets the format of its `Accept`. */
function keptRefusal({ status, headers, body }: StoredResponse): SallyportError | undefined {
  if (status < 400 || body === null) return undefined
  const { error } = JSON.parse(body) as Partial<ErrorEnvelope>
  if (error === undefined) return undefined
  const { code, message, details } = error
  return new SallyportError(code, message, { status, headers, ...(details && { details }) })
}

const closing = { connection: 'close' } as const

/** Reports whether the rest of the body is too large to read it for the reuse of the connection. */
function leavesTooMuch({ complete, headers }: IncomingMessage, limit: number): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limit
}

/** Splits a URL. The query keeps its `?`, because an empty query and a second `?` are different. */
function split(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}
