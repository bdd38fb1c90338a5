import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  checkPreconditions,
  negotiateErrorResponse,
  hashETag,
  type AnyRoute,
  type AnyRouteResult,
  type StoredResponse,
} from '@sallyport/rest'
import { endLingering } from '@sallyport/webhooks/node'

/** Converts the result of a handler to the headers and body of a response. */
export function serialize(route: AnyRoute, { status, headers = {}, body }: AnyRouteResult): StoredResponse {
  if (body === undefined) return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: null }
  const text = JSON.stringify(body)
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  if (route.etag !== true) {
    return { status, headers: { ...type, 'Cache-Control': 'no-store', ...headers }, body: text }
  }
  const caching = {
    ETag: headers['ETag'] ?? hashETag(text),
    Vary: 'Authorization, Accept',
    'Cache-Control': 'private, no-cache',
  }
  return { status, headers: { ...type, ...caching, ...headers }, body: text }
}

/** A response whose body may be bytes. */
export type SentResponse = Omit<StoredResponse, 'body'> & { readonly body: string | Buffer | null }

/** Sends a response, or 304 for a matching If-None-Match. */
export function send(
  { method = 'GET', headers: asked }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: SentResponse,
): void {
  const reads = method === 'GET' || method === 'HEAD'
  const { ETag: etag } = headers
  if (reads && status === 200 && etag !== undefined) {
    const ifNoneMatch = asked['if-none-match']
    if (checkPreconditions({ method, ifNoneMatch, etag }) === 'not-modified') {
      response.statusCode = 304
      setHeaders(response, headers)
      response.removeHeader('Content-Type')
      response.end()
      return
    }
  }
  if (body === null) {
    response.statusCode = status
    setHeaders(response, headers)
    response.end()
    return
  }
  // For HEAD, Node.js omits the body and does not compute its length.
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/**
 * Sends an error, as the envelope or as problem+json for a matching `Accept`. The connection closes with `connection` and
 * after 408; the rest of the body is discarded then.
 *
 * @returns the status
 */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { connection }: { readonly connection?: 'close' } = {},
): number {
  const { status, headers, body } = negotiateErrorResponse(error, { accept: request.headers.accept })
  response.statusCode = status
  // The rest of the body would precede the next request (RFC 9110, section 15.5.9).
  const closing = connection ?? (status === 408 ? 'close' : undefined)
  setHeaders(response, {
    'Cache-Control': 'no-store',
    ...(closing && { Connection: closing }),
    ...headers,
  })
  const text = JSON.stringify(body)
  if (isLast(response)) endLingering(request, response, text)
  else response.end(text)
  return status
}

/** Reports whether the connection closes after the response. */
const isLast = (response: ServerResponse): boolean =>
  !response.shouldKeepAlive || response.getHeader('connection') === 'close'

/** Sets headers with Node.js, because Express would change the content type. */
function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
