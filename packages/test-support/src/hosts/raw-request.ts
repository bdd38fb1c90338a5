import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Everything that was received, of several answers too. */
  readonly received: string
}

/**
 * Sends bytes as they are, which no HTTP client would send, and gives the last answer once the server has closed the
 * connection: ask for that by `Connection: close`.
 */
export async function sendRaw(base: string, ...parts: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  // A server that refuses may close before everything is sent; what it has said by then is the answer.
  socket.on('error', () => undefined)
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return parse(Buffer.concat(received).toString())
}

function parse(received: string): RawAnswer {
  const last = received.slice(Math.max(0, received.lastIndexOf('HTTP/1.1 ')))
  const end = last.indexOf('\r\n\r\n')
  const [line = '', ...fields] = last.slice(0, end).split('\r\n')
  const headers = new Headers()
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim())
  }
  return { status: Number(line.split(' ')[1]), headers, text: last.slice(end + 4), received }
}
