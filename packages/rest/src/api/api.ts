import { Buffer } from 'node:buffer'
import { SallyportError } from '@sallyport/errors'
import { getClientNetwork } from '@sallyport/internal/client-address'
import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { requireAccepts } from '../accept.ts'
import type { ContractsOf } from '../contract.ts'
import type { AnyRouteResult, RouteBinding } from '../route-binding.ts'
import type { SaveResponse } from '../idempotency.ts'
import { integerOption } from '../options.ts'
import { formatPath, parseTemplate } from '../route-path.ts'
import { readRequest } from '../route-request.ts'
import type { AnyRoute } from '../route.ts'
import { createRouter, type RouteMatch } from '../router.ts'
import type { ApiContext } from './api-context.ts'
import type { Api, ApiOptions } from './api-options.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import {
  createErrorResponse,
  applyPreconditions,
  createResponse,
  readStoredError,
  toStoredError,
} from './api-response.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import { createCors } from './cors.ts'
import { joinNames } from './header-names.ts'
import { createDeprecationHeaders } from './deprecation.ts'
import { checkMount } from './host-request.ts'
import { readJsonBody, type JsonBody } from './json-body.ts'
import { prepareApi, type PreparedRoute } from './prepare-route.ts'
import { isRequestBody } from './request-body.ts'
import { createRateLimitHeaders, requireQuota } from './rate-limits.ts'
import { createAuthentication, RequestContext, type ContextParts, type Exchange } from './request-context.ts'

/**
 * Creates an API from bound routes. It enforces all that the routes declare, in this order:
 *
 * 1. path and method: 404, 405, OPTIONS
 * 2. authentication by `access`: 401
 * 3. rate limit: 429
 * 4. role: 403, `Accept`: 406
 * 5. body: 415, 413, 408, 400; params, query and body schemas: 400
 * 6. `Idempotency-Key`, handler, timeout: 503
 * 7. `ETag`, `If-Match` and `If-None-Match`: 412, 304
 *
 * @throws TypeError for a declaration that the options cannot enforce, and for an option out of range
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createNodeListener } from '@sallyport/rest/node'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public' })
 * const api = createApi({
 *   routes: [route.get('/ping', { operationId: 'ping', data: z.string() }, () => 'pong')],
 * })
 * createServer(createNodeListener(api)).listen(3000)
 * ```
 */
export function createApi<
  Caller = never,
  Dependencies extends object = object,
  Binding extends RouteBinding<ApiContext<Caller> & Dependencies> = RouteBinding<
    ApiContext<Caller> & Dependencies
  >,
>(
  options: ApiOptions<Caller, Dependencies> & { readonly routes: readonly Binding[] },
): Api<ContractsOf<Binding>> {
  const { authenticate, context: createDependencies, mapError = (error: unknown) => error } = options
  const { hasRole = hasOwnRole, getCallerId = getOwnId, onError, onRoute, onResponse } = options
  const bodyLimit = integerOption('bodyLimit', options.bodyLimit ?? 1_048_576, 1)
  const timeoutMs = integerOption('timeoutMs', options.timeoutMs ?? 30_000, 1)
  const declared = options.routes.map(({ route }) => route)
  const bindings = [...options.routes, ...(options.documents?.(declared) ?? [])]
  const { routes, countUnknown, cursors } = prepareApi({ ...options, routes: bindings })
  const createCorsHeaders = options.cors && createCors(options.cors, bindings)
  const tasks = createBackgroundTasks()
  const router = createRouter(routes)
  const { proxyPath = '' } = options
  if (proxyPath !== '') checkMount(proxyPath)
  const contextParts: ContextParts<Caller> = {
    proxyPath,
    cursors,
    authenticate,
    requireRole,
    runTask(task, request) {
      tasks.run(task, (error) => {
        callHook(onError, error, request)
      })
    },
    handle: (request) => api.handle(request),
  }

  function requireRole({ access }: AnyRoute, caller: Caller): void {
    if (typeof access === 'object' && !hasRole(caller, access.roles))
      throw new SallyportError('FORBIDDEN', `This needs the role ${access.roles.join(' or ')}`)
  }

  async function answer(exchange: Exchange<Caller>): Promise<ApiResponse> {
    const { request } = exchange
    let match: RouteMatch<PreparedRoute<Caller, Dependencies>> | undefined
    let refusal: { readonly error: unknown } | undefined
    try {
      match = router.match(request.method, request.path)
      if (match.kind === 'route') {
        const { route } = match.binding
        exchange.route = route
        exchange.params = match.params
        callHook(onRoute, route, request)
        if (route.access !== 'public') {
          exchange.caller = requireCaller(
            await authenticate?.(request, createAuthentication(exchange, route)),
          )
        }
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
    binding: PreparedRoute<Caller, Dependencies>,
    params: Readonly<Record<string, string>>,
  ): Promise<ApiResponse> {
    const { route, handler, review, segments, mediaTypes, checkResponse, idempotent } = binding
    const { request, caller } = exchange
    requireRole(route, caller as Caller)
    requireAccepts(request.header('accept'), mediaTypes)
    const body = await readBody(request, route, bodyLimit)
    if (body?.value instanceof ReadableStream) exchange.stream = body.value
    exchange.represent = binding.represent
    const createContext = async (path: string): Promise<ApiContext<Caller> & Dependencies> => {
      const context = new RequestContext(exchange, path, contextParts)
      return Object.assign(context, await createDependencies?.(context))
    }
    const isIdempotent = idempotent !== undefined && route.idempotencyKey === true && caller !== undefined
    const idempotencyKey = isIdempotent ? request.header('idempotency-key') : undefined
    const input = await readRequest(
      route,
      { params, query: request.query, header: request.header, body: body?.value, idempotencyKey },
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
    const createRouteResponse = (result: AnyRouteResult): ApiResponse => {
      const { cookies, ...response } = createResponse(route, result, (error) => {
        callHook(onError, error, request)
      })
      exchange.cookies = cookies
      return response
    }
    const runHandler = async (handlerContext: typeof context) => {
      const result = await handler(input, handlerContext)
      if (exchange.hasUncheckedConditions && result.status < 400)
        throw new TypeError(
          `${route.operationId} declares etag, but its handler ignores the preconditions: call requireCurrent or checkPreconditions`,
        )
      return result
    }
    const toResponse = async (result: AnyRouteResult) =>
      createRouteResponse(checkResponse === undefined ? result : await checkResponse(result, input.query))
    if (!isIdempotent || idempotencyKey === undefined) {
      return await toResponse(await runHandler(context))
    }

    const runOnce = async (save: SaveResponse) => {
      let saved: { readonly result: AnyRouteResult; readonly response: StorableResponse } | undefined
      const saveResult: ApiContext['saveResult'] = async (given, store) => {
        const response = (await toResponse(given)) as StorableResponse
        await save(response, store)
        saved = { result: given, response }
      }
      const result = await runHandler(Object.assign(context, { saveResult }))
      // The results differ if the transaction of the saved result was rolled back.
      return saved?.result === result ? saved.response : ((await toResponse(result)) as StorableResponse)
    }
    const { response, replayed } = await idempotent(
      {
        idempotencyKey,
        scope: getCallerId(caller),
        method: request.method,
        path,
        body: getRepeatedParts(route, request, body?.bytes ?? new Uint8Array()),
      },
      (save) => runOnce(save).catch(toStoredError),
    )
    const error = readStoredError(response)
    if (error !== undefined) throw error
    if (!replayed) return response
    return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } }
  }

  const api: Api<ContractsOf<Binding>> = {
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
        cookies: [],
        authenticationCookies: [],
        headers: undefined,
        timeout: undefined,
        route: undefined,
        params: {},
        caller: undefined,
        stream: undefined,
        represent: undefined,
        hasUncheckedConditions: false,
      }
      let response: ApiResponse
      let error: unknown
      try {
        response = applyPreconditions(
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
        ;({ error, response } = answerError(request, thrown, mapError))
        exchange.cookies = response.cookies ?? []
        if (response.status >= 500) callHook(onError, error, request)
      }
      // A stream that the handler still reads is locked.
      exchange.stream?.cancel().catch(() => undefined)
      const { route, caller, clientNetwork } = exchange
      const { status } = response
      const durationMs = performance.now() - startedAt
      callHook(onResponse, { request, route, caller, clientNetwork, status, error, durationMs })
      const cookies = [...exchange.authenticationCookies, ...exchange.cookies]
      return addHeaders({ ...response, route }, cookies, {
        ...securityHeaders,
        'X-Request-Id': request.requestId,
        ...createRateLimitHeaders(exchange.rateLimits),
        ...createDeprecationHeaders(
          route?.deprecated,
          (template) => proxyPath + request.mountPath + formatPath(parseTemplate(template), exchange.params),
        ),
        ...createCorsHeaders?.(request, response.headers['Allow']),
        ...exchange.headers,
      })
    },
  }
  return api
}

/** Reads the body of a request if its route declares one. */
async function readBody(
  request: ApiRequest,
  { body, bodyRequired }: AnyRoute,
  limit: number,
): Promise<JsonBody | undefined> {
  if (body === undefined) return undefined
  if (!isRequestBody(body)) return await readJsonBody(request, limit, bodyRequired)
  return { value: await body.read(request), bytes: new Uint8Array() }
}

/** Returns the parts of a request that a repetition of its `Idempotency-Key` must have, too. */
function getRepeatedParts(
  { query, headers = {} }: AnyRoute,
  request: ApiRequest,
  body: Uint8Array,
): Uint8Array {
  const names = Object.keys(headers)
  if (query === undefined && names.length === 0) return body
  const values = names.map((name) => request.header(name.toLowerCase()))
  return Buffer.concat([Buffer.from(JSON.stringify([query && request.query, values])), body])
}

/** A JSON response. Routes with an idempotency key cannot declare other media types. */
type StorableResponse = ApiResponse & { readonly body: string | null }

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Adds cookies, and headers that a response does not set itself. `Vary` and `Link` are merged. */
function addHeaders(
  response: ApiResponse,
  cookies: readonly string[],
  added: Readonly<Record<string, string>>,
): ApiResponse {
  const { headers } = response
  const vary = joinNames([headers['Vary'] ?? [], added['Vary'] ?? []])
  const link = [headers['Link'] ?? [], added['Link'] ?? []].flat().join(', ')
  const merged = { ...(vary !== '' && { Vary: vary }), ...(link !== '' && { Link: link }) }
  return { ...response, headers: { ...added, ...headers, ...merged }, cookies }
}

/** A function that returns no caller instead of throwing must not open a route. */
function requireCaller<Caller>(caller: Caller | null | undefined): Caller {
  if (caller !== undefined && caller !== null) return caller
  throw new SallyportError('TOKEN_MISSING', 'This needs authentication', {
    headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
  })
}

/** Converts a thrown value to a response. An error that cannot be sent is answered 500. */
function answerError(request: ApiRequest, thrown: unknown, mapError: (error: unknown) => unknown) {
  const error = toError(thrown, mapError)
  try {
    return { error, response: createErrorResponse(request, error) }
  } catch (cause) {
    const unsent = new Error('The error cannot be sent', { cause })
    return { error: unsent, response: createErrorResponse(request, unsent) }
  }
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
