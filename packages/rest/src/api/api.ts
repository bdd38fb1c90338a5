import { SallyportError } from '@sallyport/errors'
import { getClientNetwork } from '@sallyport/internal/client-address'
import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { requireAccepts } from '../accept.ts'
import type { AnyRouteResult } from '../bind-route.ts'
import type { SaveResponse } from '../idempotency.ts'
import { integerOption } from '../options.ts'
import { formatPath } from '../route-path.ts'
import { readRequest } from '../route-request.ts'
import type { AnyRoute } from '../route.ts'
import { createRouter, type RouteMatch } from '../router.ts'
import type { ApiContext } from './api-context.ts'
import type { Api, ApiOptions } from './api-options.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import {
  applyIfNoneMatch,
  createErrorResponse,
  createResponse,
  readStoredError,
  toStoredError,
} from './api-response.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import { createCors } from './cors.ts'
import { readJsonBody } from './json-body.ts'
import type { RateLimitResult } from './memory-rate-limit.ts'
import { prepareApi, type PreparedRoute } from './prepare-route.ts'
import { createRateLimitHeaders, requireQuota } from './rate-limits.ts'

/**
 * Creates an API from bound routes. It enforces all that the routes declare, in this order:
 *
 * 1. path and method: 404, 405, OPTIONS
 * 2. authentication by `access`: 401
 * 3. rate limit: 429
 * 4. role: 403, `Accept`: 406
 * 5. body: 415, 413, 408, 400; params, query and body schemas: 400
 * 6. `Idempotency-Key`, handler, timeout: 503
 * 7. `ETag` and `If-None-Match`: 304
 *
 * @throws TypeError for a declaration that the options cannot enforce, and for an option out of range
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { bindRoute, createApi, defineRoute } from '@sallyport/rest'
 * import { createNodeListener } from '@sallyport/rest/node'
 *
 * const ping = defineRoute({
 *   method: 'GET',
 *   path: '/ping',
 *   operationId: 'ping',
 *   summary: 'Ping',
 *   access: 'public',
 *   responses: { 204: { description: 'Pong' } },
 * })
 * const api = createApi({ routes: [bindRoute(ping, () => ({ status: 204 }))] })
 * createServer(createNodeListener(api)).listen(3000)
 * ```
 */
export function createApi<Caller = never, Dependencies extends object = object>(
  options: ApiOptions<Caller, Dependencies>,
): Api {
  const { authenticate, context: createDependencies, mapError = (error: unknown) => error } = options
  const { hasRole = hasOwnRole, getCallerId = getOwnId, onError, onRoute, onResponse } = options
  const bodyLimit = integerOption('bodyLimit', options.bodyLimit ?? 1_048_576, 1)
  const timeoutMs = integerOption('timeoutMs', options.timeoutMs ?? 30_000, 1)
  const declared = options.routes.map(({ route }) => route)
  const bindings = [...options.routes, ...(options.documents?.(declared) ?? [])]
  const { routes, countUnknown, cursors, idempotent } = prepareApi({ ...options, routes: bindings })
  const createCorsHeaders = options.cors && createCors(options.cors)
  const tasks = createBackgroundTasks()
  const router = createRouter(routes)

  async function answer(exchange: Exchange<Caller>): Promise<ApiResponse> {
    const { request } = exchange
    let match: RouteMatch<PreparedRoute<Caller, Dependencies>> | undefined
    let refusal: { readonly error: unknown } | undefined
    try {
      match = router.match(request.method, request.path)
      if (match.kind === 'route') {
        const { route } = match.binding
        exchange.route = route
        callHook(onRoute, route, request)
        if (route.access !== 'public') exchange.caller = requireCaller(await authenticate?.(request))
      }
    } catch (error) {
      refusal = { error }
    }
    const countRequest = match?.kind === 'route' ? match.binding.countRequest : countUnknown
    if (countRequest !== undefined) {
      const client =
        exchange.caller === undefined
          ? `network ${exchange.clientNetwork}`
          : `user ${getCallerId(exchange.caller)}`
      const counted = countRequest(client)
      const state = 'then' in counted ? await counted : counted
      exchange.rateLimits.set(state.name, state)
      requireQuota(state)
    }
    if (refusal !== undefined) throw refusal.error
    if (match?.kind !== 'route') return { status: 204, headers: { Allow: match?.allow ?? '' }, body: null }
    return await run(exchange, match.binding, match.params)
  }

  async function run(
    exchange: Exchange<Caller>,
    { route, handler, review, segments, mediaTypes }: PreparedRoute<Caller, Dependencies>,
    params: Readonly<Record<string, string>>,
  ): Promise<ApiResponse> {
    const { request, caller } = exchange
    if (typeof route.access === 'object' && !hasRole(caller as Caller, route.access.roles)) {
      throw new SallyportError('FORBIDDEN', `This needs the role ${route.access.roles.join(' or ')}`)
    }
    requireAccepts(request.header('accept'), mediaTypes)
    const body =
      route.body === undefined ? undefined : await readJsonBody(request, bodyLimit, route.bodyRequired)
    const createContext = async (path: string): Promise<ApiContext<Caller> & Dependencies> => {
      const context = createBaseContext(exchange, path)
      return (
        createDependencies === undefined ? context : { ...context, ...(await createDependencies(context)) }
      ) as ApiContext<Caller> & Dependencies
    }
    const isIdempotent = idempotent !== undefined && route.idempotencyKey === true && caller !== undefined
    const idempotencyKey = isIdempotent ? request.header('idempotency-key') : undefined
    const input = await readRequest(
      route,
      { params, query: request.query, body: body?.value, idempotencyKey },
      {
        ...(cursors && { cursors }),
        ...(review && {
          review: async (refused) =>
            await review(refused, await createContext(formatPath(segments, refused.params))),
        }),
      },
    )
    const path = formatPath(segments, input.params)
    const context = await createContext(path)
    if (!isIdempotent || idempotencyKey === undefined)
      return createResponse(route, await handler(input, context))

    const runOnce = async (save: SaveResponse) => {
      let saved: { readonly result: AnyRouteResult; readonly response: StorableResponse } | undefined
      const result = await handler(input, {
        ...context,
        async saveResult(given, store) {
          const response = createResponse(route, given) as StorableResponse
          await save(response, store)
          saved = { result: given, response }
        },
      })
      // The results differ if the transaction of the saved result was rolled back.
      return saved?.result === result ? saved.response : (createResponse(route, result) as StorableResponse)
    }
    const { response, replayed } = await idempotent(
      {
        idempotencyKey,
        scope: getCallerId(caller),
        method: request.method,
        path,
        body: body?.bytes ?? '',
      },
      (save) => runOnce(save).catch(toStoredError),
    )
    const error = readStoredError(response)
    if (error !== undefined) throw error
    if (!replayed) return response
    return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } }
  }

  function createBaseContext(exchange: Exchange<Caller>, path: string): ApiContext<Caller> {
    const { request, caller } = exchange
    return {
      requestId: request.requestId,
      address: { url: request.mountPath + path, query: request.query },
      path,
      mountPath: request.mountPath,
      clientNetwork: exchange.clientNetwork,
      header: request.header,
      conditions: {
        method: request.method,
        ifMatch: request.header('if-match'),
        ifNoneMatch: request.header('if-none-match'),
      },
      ...(cursors && { cursors }),
      ...(caller !== undefined && { caller }),
      identify: async () => {
        try {
          return await authenticate?.(request)
        } catch {
          return undefined
        }
      },
      get signal() {
        const { signal } = (exchange.timeout ??= new AbortController())
        return request.signal === undefined ? signal : AbortSignal.any([signal, request.signal])
      },
      showRateLimit: (state) => {
        exchange.rateLimits.set(state.name, state)
      },
      runAfter: (task) => {
        tasks.run(task, (error) => {
          callHook(onError, error, request)
        })
      },
    }
  }

  return {
    routes: declared,
    bodyLimit,
    close: tasks.settled,

    async handle(request) {
      const startedAt = performance.now()
      const exchange: Exchange<Caller> = {
        request,
        clientNetwork:
          request.clientAddress === undefined ? 'unknown' : getClientNetwork(request.clientAddress),
        rateLimits: new Map(),
        timeout: undefined,
        route: undefined,
        caller: undefined,
      }
      let response: ApiResponse
      let error: unknown
      try {
        response = applyIfNoneMatch(
          request,
          await withDeadline(timeoutMs, answer(exchange), (timeout) => {
            exchange.timeout?.abort(timeout)
            return new SallyportError('SERVICE_UNAVAILABLE', 'The request took too long; try again', {
              headers: { 'Retry-After': '1' },
              cause: timeout,
            })
          }),
        )
      } catch (thrown) {
        error = toError(thrown, mapError)
        response = createErrorResponse(request, error)
        if (response.status >= 500) callHook(onError, error, request)
      }
      const { route, caller, clientNetwork } = exchange
      const { status } = response
      const durationMs = performance.now() - startedAt
      callHook(onResponse, { request, route, caller, clientNetwork, status, error, durationMs })
      return addHeaders(response, {
        ...securityHeaders,
        'X-Request-Id': request.requestId,
        ...createRateLimitHeaders(exchange.rateLimits),
        ...createCorsHeaders?.(request, response.headers['Allow']),
      })
    },
  }
}

/** A request and the state of its response. */
interface Exchange<Caller> {
  readonly request: ApiRequest
  readonly clientNetwork: string
  readonly rateLimits: Map<string, RateLimitResult>
  /** Created when a handler reads the signal. */
  timeout: AbortController | undefined
  route: AnyRoute | undefined
  caller: Caller | undefined
}

/** A JSON response. Routes with an idempotency key cannot declare other media types. */
type StorableResponse = ApiResponse & { readonly body: string | null }

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Adds headers that a response does not set itself. `Vary` is merged. */
function addHeaders(response: ApiResponse, added: Readonly<Record<string, string>>): ApiResponse {
  const { headers } = response
  const vary = [headers['Vary'], added['Vary']].filter((value) => value !== undefined).join(', ')
  return { ...response, headers: { ...added, ...headers, ...(vary !== '' && { Vary: vary }) } }
}

/** A function that returns no caller instead of throwing must not open a route. */
function requireCaller<Caller>(caller: Caller | null | undefined): Caller {
  if (caller !== undefined && caller !== null) return caller
  throw new SallyportError('TOKEN_MISSING', 'This needs authentication', {
    headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
  })
}

function toError(thrown: unknown, mapError: (error: unknown) => unknown): unknown {
  try {
    return mapError(thrown)
  } catch (error) {
    return error
  }
}

const hasOwnRole = (caller: unknown, roles: readonly string[]): boolean => {
  const { role } = Object(caller) as { readonly role?: unknown }
  return typeof role === 'string' && roles.includes(role)
}

function getOwnId(caller: unknown): string {
  const { sub, id } = Object(caller) as { readonly sub?: unknown; readonly id?: unknown }
  const own = sub ?? id
  if (typeof own === 'string' && own !== '') return own
  throw new TypeError('The caller has neither a sub nor an id: set getCallerId')
}
