import { once } from 'node:events'
import { connect, type Http2Server, type IncomingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAnswer, type Host } from './host.ts'

/** Sends requests over one session of HTTP/2. */
export async function openHttp2Server(server: Http2Server, stop?: () => Promise<unknown>): Promise<Host> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    async send({ method = 'GET', path, headers, body, chunked = false, signal }) {
      const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }
      const stream = session.request(
        { ':method': method, ':path': path, ...headers, ...length },
        { endStream: body === undefined, ...(signal && { signal }) },
      )
      stream.end(body)
      const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }]
      const entries = Object.entries(received)
        .filter(([name]) => !name.startsWith(':'))
        .map(([name, value = '']): [string, string] => [name, String(value)])
      return createAnswer(received[':status'] ?? 0, entries, await text(stream))
    },
    async close() {
      session.destroy()
      if (stop) await stop()
      else server.close()
    },
  }
}
