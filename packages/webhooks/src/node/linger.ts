import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is thrown away of one body: more than any that is sent by mistake, and no longer than a sender needs. */
const lingerBytes = 64 * 1024 * 1024
const lingerMs = 5000

const lingering = new WeakSet<Socket>()

/**
 * Whether {@link endLingering} has answered on a connection, which closes with that: a request that stands behind the body
 * could be carried out, and never answered (RFC 9112, section 9.6).
 */
export const isLingering = (socket: Socket): boolean => lingering.has(socket)

/**
 * Ends an answer whose request may still be on its way, so that the sender gets it: in place of `response.end(body)`.
 *
 * Closing a socket that still receives resets the connection, and the reset can overtake the answer. So the answer goes
 * out at once, with `Connection: close` and its length, and behind it up to 64 MiB of the request's body are taken in
 * for up to 5 seconds, and thrown away. Where no body is left to come, the answer ends as by `response.end`, and the
 * connection stays as it is. Nothing else may read the body from then on. The listener of `createNodeListener` takes no
 * further request from such a connection; with one of your own, see {@link isLingering}.
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

/** Whether a body is still to come; a request without one is complete only once its listener has returned. */
export const isUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
