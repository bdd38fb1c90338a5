import type { ServerResponse } from 'node:http'
import { getHttp2Stream } from './http2-stream.ts'

/** Closes the connection of a response after the response, of a server that stops. */
export function endConnection(response: ServerResponse): void {
  // The session of HTTP/2 ends with its streams, and other streams may still use it.
  if (getHttp2Stream(response) !== undefined) return
  if (!response.headersSent) {
    response.setHeader('Connection', 'close')
    return
  }
  // A finished response has no socket.
  const { socket } = response
  response.once('finish', () => socket?.destroySoon())
}
