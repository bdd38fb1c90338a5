import { SallyportError, toErrorResponse, type ErrorEnvelope } from '@sallyport/errors'
import type { AnyRouteResult } from '../route-binding.ts'
import { checkPreconditions, hashETag } from '../conditional.ts'
import type { StoredResponse } from '../idempotency-store.ts'
import type { EventStreamBody } from '../event-stream/event-stream-body.ts'
import { getMediaType, getStreamFormat } from '../media-type.ts'
import { negotiateErrorResponse } from '../problem.ts'
import type { AnyRoute, ResponseDeclaration } from '../route.ts'
import { splitCookies, type SplitHeaders } from './result-headers.ts'
import type { ApiRequest, ApiResponse, ResponseBody } from './api-request.ts'

/**
 * Converts the result of a handler to a response.
 *
 * @param onError called with the error of a stream of events
 * @throws TypeError for a status or header that hosts cannot send
 */
export function createResponse(
  route: AnyRoute,
  { status, headers: given, body }: AnyRouteResult,
  onError: (error: unknown) => void,
): ApiResponse & SplitHeaders {
  const { headers, cookies } = splitCookies(given)
  requireSendable(status, headers, cookies)
  if (body === undefined)
    return { status, headers: { 'Cache-Control': 'no-store', ...headers }, cookies, body: null }
  const declared = route.responses[status] ?? {}
  const type = { 'Content-Type': getMediaType(declared) ?? 'application/json; charset=utf-8' }
  const sent = encodeBody(declared, body, onError)
  if (route.etag !== true || sent instanceof ReadableStream) {
    return { status, headers: { ...type, 'Cache-Control': 'no-store', ...headers }, cookies, body: sent }
  }
  const caching = {
    ETag: headers['ETag'] ?? hashETag(sent),
    Vary: 'Authorization, Accept',
    'Cache-Control': 'private, no-cache',
  }
  return { status, headers: { ...type, ...caching, ...headers }, cookies, body: sent }
}

function encodeBody(
  declared: ResponseDeclaration,
  body: unknown,
  onError: (error: unknown) => void,
): ResponseBody {
  const format = getStreamFormat(declared)
  if (format !== undefined) return (body as EventStreamBody<unknown>).encode({ format, onError })
  return declared.mediaType === undefined ? JSON.stringify(body) : (body as ResponseBody)
}

/**
 * Evaluates the preconditions of a GET or HEAD whose response is 200 or 206: it becomes 304 if `If-None-Match` matches.
 *
 * @throws SallyportError 412 `PRECONDITION_FAILED` if `If-Match` does not match; 400 `BAD_REQUEST` for a malformed one
 */
export function applyPreconditions({ method, header }: ApiRequest, response: ApiResponse): ApiResponse {
  const { ETag: etag } = response.headers
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || (response.status !== 200 && response.status !== 206) || etag === undefined) return response
  const ifMatch = header('if-match')
  const ifNoneMatch = header('if-none-match')
  try {
    if (checkPreconditions({ method, ifMatch, ifNoneMatch, etag }) === 'proceed') return response
  } catch (error) {
    cancelStream(response.body)
    throw error
  }
  // A browser replaces the policy of its cached page by that of the 304.
  const headers = Object.entries(response.headers).filter(
    ([name]) => !/^content-(?!security-policy)/i.test(name),
  )
  cancelStream(response.body)
  return { ...response, status: 304, headers: Object.fromEntries(headers), body: null }
}

/** Releases the resources of a stream that is not sent. */
export function cancelStream(body: ApiResponse['body']): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
}

/**
 * Converts an error to a response: the error envelope, or problem+json if `Accept` prefers it.
 *
 * @throws an error for one that cannot be sent, such as one with a bigint in its details
 */
export function createErrorResponse(request: Pick<ApiRequest, 'header'>, error: unknown): ApiResponse {
  const { status, body, ...given } = negotiateErrorResponse(error, { accept: request.header('accept') })
  const { headers, cookies } = splitCookies(given.headers)
  requireSendable(status, headers, cookies)
  return { status, headers: { 'Cache-Control': 'no-store', ...headers }, cookies, body: JSON.stringify(body) }
}

/** @throws TypeError without the value, which may be a secret */
function requireSendable(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  cookies: readonly unknown[],
): void {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`The status ${status} is not from 200 to 599`)
  for (const [name, value] of [
    ...Object.entries(headers),
    ...cookies.map((cookie) => ['Set-Cookie', cookie] as const),
  ]) {
    if (
      !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) ||
      typeof value !== 'string' ||
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
      throw new TypeError(`The header ${JSON.stringify(name)} is not text that HTTP can send`)
  }
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
