import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHttp2Stream } from './http2-stream.ts'

const discardedBytes = 64 * 1024 * 1024
const discardMs = 5000

/** A symbol of the global registry, because each package has a copy of this module. */
const closing = Symbol.for('sallyport.closing')

/**
 * Reports whether `endEarly` has answered on a connection. The connection closes, so a request after the discarded body
 * could be carried out but never answered (RFC 9112, section 9.6).
 */
export const isClosing = (socket: Socket): boolean => (socket as { [closing]?: true })[closing] === true

/**
 * Ends a response to a request whose body may still arrive, in place of `response.end(body)`.
 *
 * Closing a socket that receives data resets the connection, and the client may lose the response. Therefore the response is
 * sent at once with `Connection: close` and its length, and up to 64 MiB of the body are read for up to 5 seconds and
 * discarded. Nothing else may read the body. If no body is left, the response ends as by `response.end`, and the connection
 * stays open. With HTTP/2, the stream closes after the response (RFC 9113, section 8.1).
 */
export function endEarly(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Uint8Array = '',
): void {
  if (!isUnread(request) || request.destroyed || response.destroyed) {
    response.end(body)
    return
  }
  const stream = getHttp2Stream(request)
  if (stream !== undefined) {
    response.end(body, () => {
      stream.close()
    })
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

  Object.assign(request.socket, { [closing]: true })
  let left = discardedBytes
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
  const timer = setTimeout(end, discardMs)
  request.on('data', onData).once('end', end).once('close', end)
  request.resume()
}

/** Reports whether a body is still to come; a request without one is complete only once its listener has returned. */
export const isUnread = (request: IncomingMessage): boolean => !request.complete && hasBody(request)

/** Reports whether the headers of a request announce a body. A body without a length may be empty. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
  if (encoding !== undefined) return true
  return length === undefined ? getHttp2Stream(request)?.endAfterHeaders === false : Number(length) > 0
}
