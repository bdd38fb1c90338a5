import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limits for the rest of a body that is discarded. */
const lingerBytes = 64 * 1024 * 1024
const lingerMs = 5000

const lingering = new WeakSet<Socket>()

/**
 * Reports whether {@link endLingering} has answered on a connection. The connection then closes, so a later request on it
 * would be processed without a response (RFC 9112, section 9.6).
 */
export const isLingering = (socket: Socket): boolean => lingering.has(socket)

/**
 * Ends a response whose request body may still be arriving, in place of `response.end(body)`.
 *
 * Closing a socket that still receives data resets the connection, and the reset can overtake the response. This function
 * sends the response with `Connection: close` and its length, and then discards up to 64 MiB of the request body for up
 * to 5 seconds. For a complete request, it calls `response.end` and the connection stays open. No other code may read the
 * body afterwards. The listener of `createNodeListener` ignores later requests on the connection; other listeners use
 * {@link isLingering}.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { endLingering } from '@sallyport/webhooks/node'
 *
 * createServer((request, response) => {
 *   response.statusCode = 413
 *   endLingering(request, response, 'Too large')
 * })
 * ```
 */
export function endLingering(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Uint8Array = '',
): void {
  if (!isUnread(request) || request.destroyed || response.destroyed) {
    response.end(body)
    return
  }
  const { statusCode, headersSent } = response
  if (!headersSent) {
    response.setHeader('connection', 'close')
    if (statusCode !== 204) response.setHeader('content-length', Buffer.byteLength(body))
  }
  const bodiless = request.method === 'HEAD' || statusCode === 204 || statusCode === 304 || body.length === 0
  if (bodiless) response.flushHeaders()
  else response.write(body)

  lingering.add(request.socket)
  let left = lingerBytes
  const end = () => {
    clearTimeout(timer)
    request.off('data', onData)
    request.pause()
    response.end()
  }
  const onData = (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  }
  const timer = setTimeout(end, lingerMs)
  request.on('data', onData).once('end', end).once('close', end)
  request.resume()
}

/** Reports whether a body is still arriving. `complete` is false for a request without a body until its listener returns. */
export const isUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
