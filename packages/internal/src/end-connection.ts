import type { ServerResponse } from 'node:http'

/** Closes the connection of a response after the response, of a server that stops. */
export function endConnection(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close')
    return
  }
  // A finished response has no socket.
  const { socket } = response
  response.once('finish', () => socket?.destroySoon())
}
