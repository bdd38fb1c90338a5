import type { IncomingMessage, ServerResponse } from 'node:http'
import { getHttp2Stream } from '@sallyport/internal/http2-stream'

/** Reports whether a body that ended has arrived. HTTP/2 also calls a request complete that the client aborted. */
export const isComplete = (request: IncomingMessage): boolean =>
  request.complete && getHttp2Stream(request)?.aborted !== true

/**
 * Calls a function when the client closes its half of the connection before the response is sent. A client that is gone and
 * one that only waits look the same until a write fails.
 *
 * A stream of HTTP/2 closes as a whole when its client is gone.
 */
export function onClientEnd(request: IncomingMessage, response: ServerResponse, call: () => void): void {
  if (getHttp2Stream(request) !== undefined) return
  const { socket } = request
  if (socket.readableEnded) call()
  socket.once('end', call)
  response.once('close', () => socket.off('end', call))
}
