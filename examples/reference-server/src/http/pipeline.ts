import type { Socket } from 'node:net'

/** More than any client sends ahead of its answers: hardly any sends a second request. */
const maximumUnanswered = 32

/** The answers that are owed to each connection. */
export interface Pipeline {
  /** Whether a connection may have another answer owed to it; one that asks for more is closed. */
  readonly enter: (socket: Socket) => boolean
  /** One of them is done with. */
  readonly leave: (socket: Socket) => void
}

/**
 * Bounds how many answers are owed to a connection.
 *
 * Node.js takes all requests that arrive together, and keeps each and its answer until the client has read those before
 * it: a client that reads nothing would have a server keep thousands for some kilobytes.
 */
export function createPipeline(): Pipeline {
  const owed = new WeakMap<Socket, number>()
  return {
    enter(socket) {
      if (socket.destroyed) return false
      const count = (owed.get(socket) ?? 0) + 1
      if (count > maximumUnanswered) {
        socket.destroy()
        return false
      }
      owed.set(socket, count)
      return true
    },
    leave(socket) {
      owed.set(socket, (owed.get(socket) ?? 1) - 1)
    },
  }
}
