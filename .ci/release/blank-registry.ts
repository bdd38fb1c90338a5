import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A registry that has nothing yet, on this machine: a rehearsal asks it, and must not send it anything. */
export async function openBlankRegistry() {
  const sent: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'GET') sent.push(`${request.method ?? ''} ${request.url ?? ''}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** @throws Error when something was sent */
    check(): void {
      if (sent.length > 0) throw new Error(`The rehearsal would have published: ${sent.join(', ')}`)
    },
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
