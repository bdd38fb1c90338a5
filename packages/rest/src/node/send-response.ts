import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { endEarly } from '@sallyport/internal/end-early'
import { cancelStream, createErrorResponse } from '../api/api-response.ts'
import { joinNames } from '../api/header-names.ts'
import type { ApiResponse } from '../api/api-request.ts'
import { onClientEnd } from './client-end.ts'

/**
 * Sends a response. After an error, the connection closes if the rest of the body exceeds `bodyLimit`, and after 408; the
 * rest of the body is then discarded.
 */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  bodyLimit: number,
): void {
  const { status, body } = answer
  if (response.destroyed) {
    cancelStream(body)
    return
  }
  if (status >= 400) {
    if (isLargeRest(request, bodyLimit)) response.setHeader('Connection', 'close')
    writeError(request, response, answer)
    return
  }
  const headers = mergeHeaders(response, answer)
  if (body instanceof ReadableStream) {
    response.writeHead(status, headers)
    if (request.method === 'HEAD') {
      cancelStream(body)
      response.end()
    } else {
      // `pipeline` adds seven listeners for the close, and Node.js warns of more than ten.
      response.setMaxListeners(30)
      // An event stream rarely writes, so a failed write would show too late that the client is gone.
      if (/^(?:text\/event-stream|application\/jsonl)\b/.test(answer.headers['Content-Type'] ?? ''))
        onClientEnd(request, response, () => response.destroy())
      // An error ends the connection, because the status is sent.
      pipeline(Readable.fromWeb(body as NodeReadableStream), response).catch(() => response.destroy())
    }
    return
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
 * Sends an error in the format of an API, for code outside of an API such as error handlers of Express.
 *
 * `close` closes the connection after the response.
 */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { close = false }: { readonly close?: boolean } = {},
): void {
  const header = (name: string) => request.headers[name]?.toString()
  if (close) response.setHeader('Connection', 'close')
  writeError(request, response, createErrorResponse({ header }, error))
}

function writeError(request: IncomingMessage, response: ServerResponse, answer: ApiResponse): void {
  const { status, body } = answer
  response.statusCode = status
  // The rest of the body would precede the next request (RFC 9110, section 15.5.9).
  if (status === 408 && request.httpVersionMajor !== 2) response.setHeader('Connection', 'close')
  setHeaders(response, mergeHeaders(response, answer))
  const text = body as string
  const isLast = !response.shouldKeepAlive || response.getHeader('connection') === 'close'
  if (isLast) endEarly(request, response, text)
  else response.end(text)
}

type NodeHeaders = Readonly<Record<string, string | string[]>>

/** Adds the cookies, and the values of `Vary` and `Set-Cookie` that middleware has set before. */
function mergeHeaders(response: ServerResponse, { headers, cookies = [] }: ApiResponse): NodeHeaders {
  const vary = response.getHeader('vary')
  const set = response.getHeader('set-cookie')
  return {
    ...headers,
    ...(vary !== undefined && headers['Vary'] !== undefined && { Vary: joinNames([vary, headers['Vary']]) }),
    ...(cookies.length > 0 && { 'Set-Cookie': [...[set ?? []].flat().map(String), ...cookies] }),
  }
}

/** Reports whether the rest of the body is too large to read it for the reuse of the connection. */
function isLargeRest({ complete, headers, httpVersionMajor }: IncomingMessage, limit: number): boolean {
  if (complete || httpVersionMajor === 2) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limit
}

/** Sets headers with Node.js, because Express would change the content type. */
function setHeaders(response: ServerResponse, headers: NodeHeaders): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
