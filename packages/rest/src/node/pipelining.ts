import type { Socket } from 'node:net'

/** Requests of a connection that run at once. */
const maximumRunning = 32
/** Requests of a connection that wait. Node.js keeps some kilobytes for each one. */
const maximumWaiting = 224

interface PipeliningOptions {
  /** The time that a connection with too many requests has for its last responses, in milliseconds. */
  readonly closeAfterMs: number
}

interface Connection {
  running: number
  readonly waiting: (() => void)[]
  isClosing: boolean
}

/** Runs the requests of each connection, a bounded number at once. */
export interface Pipelining {
  /** Runs the request of a connection now, or once an earlier one has left. */
  readonly enter: (socket: Socket, run: () => void) => void
  /** Has to be called once the response to a request is closed. */
  readonly leave: (socket: Socket) => void
}

/**
 * Bounds the requests that a connection sends ahead of the responses.
 *
 * Node.js emits every request of a chunk of up to 64 KiB at once. This runs 32 of a connection, lets 224 wait, and
 * stops reading from the socket while a request waits. A connection with more requests in one chunk gets the responses
 * to those that run, and is closed without running any other.
 */
export function createPipelining({ closeAfterMs }: PipeliningOptions): Pipelining {
  const connections = new WeakMap<Socket, Connection>()

  return {
    enter(socket, run) {
      let connection = connections.get(socket)
      if (connection === undefined)
        connections.set(socket, (connection = { running: 0, waiting: [], isClosing: false }))
      if (connection.isClosing || !socket.writable) return
      if (connection.running < maximumRunning && connection.waiting.length === 0) {
        connection.running++
        run()
        return
      }
      stopReading(socket)
      if (connection.waiting.length < maximumWaiting) {
        connection.waiting.push(run)
        return
      }
      connection.isClosing = true
      connection.waiting.length = 0
      const timer = setTimeout(() => socket.destroy(), closeAfterMs)
      socket.once('close', () => {
        clearTimeout(timer)
      })
    },
    leave(socket) {
      const connection = connections.get(socket)
      if (connection === undefined) return
      connection.running--
      if (connection.isClosing) {
        if (connection.running === 0) socket.destroySoon()
        return
      }
      // The last response closes the connection: no other request would be answered.
      if (!socket.writable) return
      const next = connection.waiting.shift()
      if (next === undefined) return
      if (connection.waiting.length === 0) startReading(socket)
      connection.running++
      next()
    },
  }
}

/** Pauses a socket that Node.js itself would resume to read the body of an earlier request. */
function stopReading(socket: Socket): void {
  socket.pause()
  socket.resume = () => socket
}

function startReading(socket: Socket): void {
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}
