import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** More than any client sends ahead of its answers: hardly any sends a second request. */
const maximumUnanswered = 32

/**
 * Whether a connection may have another answer owed to it; one that asks for more is closed.
 *
 * Node.js takes all requests that arrive together, and keeps each and its answer until the client has read those before
 * it: a client that reads nothing would have a server keep thousands for some kilobytes.
 */
export function pipelineLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>()
  return ({ socket }, response) => {
    if (socket.destroyed) return false
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > maximumUnanswered) {
      socket.destroy()
      return false
    }
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    return true
  }
}
