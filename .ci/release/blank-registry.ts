import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts an empty local registry that records every write. */
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
    /** @throws Error if a write was sent */
    check(): void {
      if (sent.length > 0) throw new Error(`The dry run tried to publish: ${sent.join(', ')}`)
    },
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
