import { SallyportError, toErrorResponse, type ErrorEnvelope } from '@sallyport/errors'
import type { AnyRouteResult } from '../bind-route.ts'
import { checkPreconditions, hashETag } from '../conditional.ts'
import type { StoredResponse } from '../idempotency-store.ts'
import { negotiateErrorResponse } from '../problem.ts'
import type { AnyRoute } from '../route.ts'
import type { ApiRequest, ApiResponse, ResponseBody } from './api-request.ts'

/** Converts the result of a handler to a response. */
export function createResponse(route: AnyRoute, { status, headers = {}, body }: AnyRouteResult): ApiResponse {
  if (body === undefined) return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: null }
  const mediaType = route.responses[status]?.mediaType
  const type = { 'Content-Type': mediaType ?? 'application/json; charset=utf-8' }
  const sent = mediaType === undefined ? JSON.stringify(body) : (body as ResponseBody)
  if (route.etag !== true || sent instanceof ReadableStream) {
    return { status, headers: { ...type, 'Cache-Control': 'no-store', ...headers }, body: sent }
  }
  const caching = {
    ETag: headers['ETag'] ?? hashETag(sent),
    Vary: 'Authorization, Accept',
    'Cache-Control': 'private, no-cache',
  }
  return { status, headers: { ...type, ...caching, ...headers }, body: sent }
}

/** Replaces a response by 304 if `If-None-Match` of a GET or HEAD matches. */
export function applyIfNoneMatch({ method, header }: ApiRequest, response: ApiResponse): ApiResponse {
  const { ETag: etag } = response.headers
  if ((method !== 'GET' && method !== 'HEAD') || response.status !== 200 || etag === undefined)
    return response
  const ifNoneMatch = header('if-none-match')
  if (checkPreconditions({ method, ifNoneMatch, etag }) === 'proceed') return response
  const headers = Object.entries(response.headers).filter(([name]) => name !== 'Content-Type')
  return { status: 304, headers: Object.fromEntries(headers), body: null }
}

/** Converts an error to a response: the error envelope, or problem+json if `Accept` prefers it. */
export function createErrorResponse(request: Pick<ApiRequest, 'header'>, error: unknown): ApiResponse {
  const { status, headers, body } = negotiateErrorResponse(error, { accept: request.header('accept') })
  return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: JSON.stringify(body) }
}

/** Converts a client error to a response that is stored for an `Idempotency-Key`; throws other errors. */
export function toStoredError(error: unknown): StoredResponse {
  const { status, headers, body } = toErrorResponse(error)
  if (status >= 500 || status === 429) throw error
  return { status, headers, body: JSON.stringify(body) }
}

/** Restores the error of a stored response, so that each request gets the format of its `Accept`. */
export function readStoredError({ status, headers, body }: StoredResponse): SallyportError | undefined {
  if (status < 400 || body === null) return undefined
  const { error } = JSON.parse(body) as Partial<ErrorEnvelope>
  if (error === undefined) return undefined
  const { code, message, details } = error
  return new SallyportError(code, message, { status, headers, ...(details && { details }) })
}
