import { ServerResponse, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** What a client may go on sending behind the answer, in milliseconds: closing before it has read that could reset it. */
const lingerMs = 5000

interface TunnelOptions {
  /** What is owed to the connection for earlier requests. */
  readonly owed: Promise<unknown>
  /** How long the connection may neither take nor send a byte, in milliseconds. */
  readonly silenceMs: number
}

/**
 * Has a listener answer CONNECT as any other method, and closes the connection behind that: Node.js hands it over as a
 * tunnel, with nothing but the request, and closes it without an answer where nobody takes it.
 */
export async function answerConnect(
  request: IncomingMessage,
  socket: Socket,
  listener: RequestListener,
  { owed, silenceMs }: TunnelOptions,
): Promise<void> {
  const destroy = () => {
    socket.destroy()
  }
  // An error that nobody listens to would end the process.
  socket.on('error', destroy).setTimeout(silenceMs, destroy)
  // What stands behind it was meant for the other end of the tunnel.
  socket.resume()
  await owed
  if (!socket.writable) {
    destroy()
    return
  }
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => {
    socket.end()
    const overdue = setTimeout(destroy, Math.min(lingerMs, silenceMs))
    socket.on('close', () => {
      clearTimeout(overdue)
    })
  })
  listener(request, response)
}
