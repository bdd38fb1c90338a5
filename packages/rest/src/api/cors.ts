import type { ApiRequest } from './api-request.ts'

export interface CorsOptions {
  /** The allowed origins, such as `https://app.example.com`, or `'*'` for all. */
  readonly origins: readonly string[] | '*'
  /** Whether browsers send cookies and other credentials; not with `'*'`. @default false */
  readonly credentials?: boolean
  /** How long browsers cache the answer to a preflight, in seconds. @default 600 */
  readonly maxAge?: number
}

/** The headers that the Fetch standard allows a script to read only if the server lists them. */
const exposedHeaders = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
].join(', ')

/** Returns the CORS headers for a response to a request. `allow` is the value of `Allow` for a preflight. */
export type CreateCorsHeaders = (request: ApiRequest, allow?: string) => Readonly<Record<string, string>>

/**
 * Creates a function that returns the CORS headers of responses. A request from an origin that is not allowed is answered
 * without them, so that the browser blocks the response.
 *
 * @throws TypeError for an origin that is not a scheme, host and optional port, and for `credentials` with `'*'`
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors({ origins, credentials = false, maxAge = 600 }: CorsOptions): CreateCorsHeaders {
  if (origins === '*' && credentials) throw new TypeError("cors.credentials needs a list of origins, not '*'")
  if (origins !== '*') {
    for (const origin of origins) {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new TypeError(
          `cors.origins holds ${JSON.stringify(origin)}; write https://host or https://host:port`,
        )
    }
  }
  const allowed = new Set(origins)
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
            'Access-Control-Allow-Headers': allowedHeaders,
            'Access-Control-Max-Age': String(maxAge),
          }
        : { 'Access-Control-Expose-Headers': exposedHeaders }),
    }
  }
}
