import {
  checkPreconditions,
  etagOfBytes,
  type AnyRoute,
  type AnyRouteResult,
  type StoredResponse,
} from '@sallyport/rest'
import type { Request, Response } from 'express'

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

/** Sends a response, or 304 when the client has it already. */
export function send(request: Request, response: Response, { status, headers, body }: StoredResponse): void {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const { ETag: etag } = headers
  if (reads && status === 200 && etag !== undefined) {
    const ifNoneMatch = request.headers['if-none-match']
    if (checkPreconditions({ method: request.method, ifNoneMatch, etag }) === 'not-modified') {
      response.status(304).set(headers).removeHeader('Content-Type')
      response.end()
      return
    }
  }
  if (body === null) {
    response.status(status).set(headers).end()
    return
  }
  // Node.js leaves the body of an answer to HEAD out, and does not work out its length then.
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
