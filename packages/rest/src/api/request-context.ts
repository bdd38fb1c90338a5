import type { CursorCodec } from '../cursor.ts'
import { isCreation } from '../check-route.ts'
import type { AnyRoute } from '../route.ts'
import type { ApiContext, DispatchedRequest } from './api-context.ts'
import type { Authenticate, AuthenticationContext } from './api-options.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import { deriveRequest } from './derive-request.ts'
import type { RateLimitResult } from './memory-rate-limit.ts'

/** A request and the state of its response. */
export interface Exchange<Caller> {
  readonly request: ApiRequest
  readonly clientNetwork: string
  readonly rateLimits: Map<string, RateLimitResult>
  /** The cookies of the result. A stored response has none. */
  cookies: readonly string[]
  /** The cookies that `authenticate` sets. */
  authenticationCookies: readonly string[]
  /** The other headers that `authenticate` sets. */
  headers: Readonly<Record<string, string>> | undefined
  /** Created when a handler reads the signal. */
  timeout: AbortController | undefined
  route: AnyRoute | undefined
  /** The decoded parameters of the path. */
  params: Readonly<Record<string, string>>
  caller: Caller | undefined
  /** The body of a request that the handler reads as a stream. */
  stream: ReadableStream | undefined
  /** Removes the fields of the resource that no response has. */
  represent: ((resource: unknown) => unknown) | undefined
  /** Whether the request has preconditions for a change that the handler has not read. */
  hasUncheckedConditions: boolean
}

/** Creates the context of `authenticate` for a route. */
export function createAuthentication(exchange: Exchange<unknown>, route: AnyRoute): AuthenticationContext {
  const cookies: string[] = []
  return {
    route,
    setHeader(name, value) {
      if (name.toLowerCase() === 'set-cookie') {
        cookies.push(value)
        exchange.authenticationCookies = cookies
      } else exchange.headers = { ...exchange.headers, [name]: value }
    },
  }
}

/** The parts of an API that contexts use. */
export interface ContextParts<Caller> {
  /** The path that a proxy removes. */
  readonly proxyPath: string
  readonly cursors: CursorCodec | undefined
  readonly authenticate: Authenticate<Caller> | undefined
  /** @throws if the caller has no access */
  readonly requireRole: (route: AnyRoute, caller: Caller) => void
  readonly runTask: (task: () => unknown, request: ApiRequest) => void
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>
}

/** A class, because V8 takes microseconds to create an object literal with an accessor. */
export class RequestContext<Caller> implements ApiContext<Caller> {
  readonly #exchange: Exchange<Caller>
  readonly requestId
  readonly address
  readonly path
  readonly mountPath
  readonly clientNetwork
  readonly header
  readonly conditions
  readonly cursors?: CursorCodec
  readonly caller?: Caller
  readonly identify
  readonly isStillAllowed
  readonly showRateLimit
  readonly dispatch
  readonly runAfter

  constructor(exchange: Exchange<Caller>, path: string, parts: ContextParts<Caller>) {
    const { request, caller } = exchange
    this.#exchange = exchange
    this.requestId = request.requestId
    this.mountPath = parts.proxyPath + request.mountPath
    this.address = { url: this.mountPath + path, query: request.query }
    this.path = path
    this.clientNetwork = exchange.clientNetwork
    this.header = request.header
    this.conditions = readConditions(exchange)
    if (parts.cursors !== undefined) this.cursors = parts.cursors
    if (caller !== undefined) this.caller = caller
    this.identify = async () => {
      try {
        return (
          exchange.route &&
          (await parts.authenticate?.(request, createAuthentication(exchange, exchange.route)))
        )
      } catch {
        return undefined
      }
    }
    this.isStillAllowed = async () => {
      const { route } = exchange
      if (route === undefined || route.access === 'public') return true
      const current = await this.identify()
      if (current === undefined || current === null) return false
      try {
        parts.requireRole(route, current)
        return true
      } catch {
        return false
      }
    }
    this.showRateLimit = (state: RateLimitResult) => {
      exchange.rateLimits.set(state.name, state)
    }
    this.dispatch = (other: DispatchedRequest) => parts.handle(deriveRequest(request, other))
    this.runAfter = (task: () => unknown) => {
      parts.runTask(task, request)
    }
  }

  get signal(): AbortSignal {
    const { signal } = (this.#exchange.timeout ??= new AbortController())
    const disconnected = this.#exchange.request.signal
    return disconnected === undefined ? signal : AbortSignal.any([signal, disconnected])
  }
}

/**
 * Notes whether the handler reads the preconditions of a change, which it has to check in its transaction. A POST that
 * creates a resource has no representation to check.
 */
function readConditions<Caller>(exchange: Exchange<Caller>): ApiContext['conditions'] {
  const { request, route, represent } = exchange
  const { method } = request
  const ifMatch = request.header('if-match')
  const ifNoneMatch = request.header('if-none-match')
  const isRead = method === 'GET' || method === 'HEAD' || (route !== undefined && isCreation(route))
  if (isRead || route?.etag !== true || (ifMatch ?? ifNoneMatch) === undefined)
    return { method, ifMatch, ifNoneMatch, ...(represent && { represent }) }
  exchange.hasUncheckedConditions = true
  return {
    method,
    ...(represent && { represent }),
    get ifMatch() {
      exchange.hasUncheckedConditions = false
      return ifMatch
    },
    get ifNoneMatch() {
      exchange.hasUncheckedConditions = false
      return ifNoneMatch
    },
  }
}
