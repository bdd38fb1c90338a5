import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  checkPreconditions,
  errorResponse,
  etagOfBytes,
  type AnyRoute,
  type AnyRouteResult,
  type StoredResponse,
} from '@sallyport/rest'

/** A handler's result as the text and headers of a response. */
export function serialize(route: AnyRoute, { status, headers = {}, body }: AnyRouteResult): StoredResponse {
  if (body === undefined) return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: null }
  const text = JSON.stringify(body)
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  if (route.etag !== true) {
    return { status, headers: { ...type, 'Cache-Control': 'no-store', ...headers }, body: text }
  }
  const caching = {
    ETag: headers['ETag'] ?? etagOfBytes(text),
    Vary: 'Authorization, Accept',
    'Cache-Control': 'private, no-cache',
  }
  return { status, headers: { ...type, ...caching, ...headers }, body: text }
}

/** A response whose body may be bytes that are sent as they are. */
export type SentResponse = Omit<StoredResponse, 'body'> & { readonly body: string | Buffer | null }

/** Sends a response, or 304 when the client has it already. */
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
  // Node.js leaves the body of an answer to HEAD out, and does not work out its length then.
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/**
 * Answers with an error, in the envelope or as the problem+json that the client asks for; `connection` ends theirs, and
 * 408 always does.
 *
 * @returns the status
 */
export function sendError(
  { headers: { accept } }: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { connection }: { readonly connection?: 'close' } = {},
): number {
  const { status, headers, body } = errorResponse(error, { accept })
  response.statusCode = status
  // What comes of a body that was given up would stand in front of the next request (RFC 9110, section 15.5.9).
  const closing = connection ?? (status === 408 ? 'close' : undefined)
  setHeaders(response, {
    'Cache-Control': 'no-store',
    ...(closing && { Connection: closing }),
    ...headers,
  })
  response.end(JSON.stringify(body))
  return status
}

/** Adds to the headers of a response; without Express, which would have its own idea of a content type. */
function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
