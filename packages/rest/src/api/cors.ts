import type { AnyRoute } from '../route.ts'
import type { ApiRequest } from './api-request.ts'
import { joinNames } from './header-names.ts'

export interface CorsOptions {
  /** The allowed origins, such as `https://app.example.com` or `capacitor://localhost`, or `'*'` for all. No wildcards. */
  readonly origins: readonly string[] | '*'
  /** Whether browsers send cookies and other credentials; not with `'*'`. @default false */
  readonly credentials?: boolean
  /** Further request headers that scripts may send, such as `X-Api-Key`. The headers of routes are allowed. @default none */
  readonly headers?: readonly string[]
  /** How long browsers cache the answer to a preflight, in seconds. @default 600 */
  readonly maxAge?: number
}

/** The headers that the Fetch standard allows a script to read only if the server lists them. */
const exposedHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
]

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Request-Id',
]

/** Returns the CORS headers for a response to a request. `allow` is the value of `Allow` for a preflight. */
export type CreateCorsHeaders = (request: ApiRequest, allow?: string) => Readonly<Record<string, string>>

/**
 * Creates a function that returns the CORS headers of responses. A request from an origin that is not allowed is answered
 * without them, so that the browser blocks the response.
 *
 * @throws TypeError for an origin that is not a scheme, host and optional port, and for `credentials` with `'*'`
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(
  { origins, credentials = false, headers = [], maxAge = 600 }: CorsOptions,
  routes: readonly { readonly route: AnyRoute }[],
): CreateCorsHeaders {
  if (origins === '*' && credentials) throw new TypeError("cors.credentials needs a list of origins, not '*'")
  if (origins !== '*') {
    for (const origin of origins) {
      if (!isOrigin(origin))
        throw new TypeError(
          `cors.origins holds ${JSON.stringify(origin)}; write https://host or https://host:port, without a wildcard`,
        )
    }
  }
  const allowed = new Set(origins)
  const sent = routes.flatMap(({ route }) => Object.keys(route.headers ?? {}))
  const returned = routes.flatMap(({ route }) =>
    Object.values(route.responses).flatMap((response) => Object.keys(response.headers ?? {})),
  )
  const allowHeaders = joinNames([...allowedHeaders, ...headers, ...sent])
  const exposeHeaders = joinNames([...exposedHeaders, ...returned])
  return ({ method, header }, allow) => {
    const origin = header('origin')
    const vary: Readonly<Record<string, string>> = origins === '*' ? {} : { Vary: 'Origin' }
    if (origin === undefined || (origins !== '*' && !allowed.has(origin))) return vary
    const isPreflight = method === 'OPTIONS' && header('access-control-request-method') !== undefined
    return {
      ...vary,
      'Access-Control-Allow-Origin': origins === '*' ? '*' : origin,
      ...(credentials && { 'Access-Control-Allow-Credentials': 'true' }),
      ...(isPreflight
        ? {
            'Access-Control-Allow-Methods': allow ?? '',
            'Access-Control-Allow-Headers': allowHeaders,
            'Access-Control-Max-Age': String(maxAge),
          }
        : { 'Access-Control-Expose-Headers': exposeHeaders }),
    }
  }
}

/**
 * Reports whether a browser can send an origin. `URL` has no origin for the schemes of apps and extensions, such as
 * `capacitor://localhost`. A wildcard would only ever be compared literally.
 */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes('*')) return false
  const { origin, href } = new URL(text)
  return origin === 'null' ? href === text && /^[a-z][\w+.-]*:\/\/[^/?#@]+$/.test(text) : origin === text
}
