import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Host, Received, Send } from './host.ts'

/** Wraps a server as a host. The server starts to listen if it does not already. */
export async function httpHost(server: Server): Promise<Host> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    send: createSend(port),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns a function that sends requests to a local port, each on a new connection. */
export function createSend(port: number): Send {
  return async ({ method = 'POST', path = '/webhooks/doorbell', headers = [], ...sent }) => {
    const { body = new Uint8Array(0), announcedLength } = sent
    const byName: Record<string, string[]> = {}
    for (const [name, value] of headers) (byName[name] ??= []).push(value)
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: byName, agent: false })
    const received = new Promise<Received>((resolve, reject) => {
      request.on('response', (response) => {
        resolve(read(response).finally(() => request.destroy()))
      })
      // After an early response, the rejection has no effect.
      request.on('error', reject)
    })
    if (announcedLength !== undefined) request.setHeader('content-length', announcedLength)
    if (!(body instanceof Uint8Array)) {
      void write(request, body)
    } else if (announcedLength !== undefined) {
      request.write(body)
    } else {
      if (method === 'POST') request.setHeader('content-length', body.length)
      request.end(body)
    }
    return received
  }
}

async function read(response: IncomingMessage): Promise<Received> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
  return { status: response.statusCode ?? 0, headers, text: await text(response) }
}

async function write(
  request: ReturnType<typeof httpRequest>,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of body) {
    if (request.destroyed) return
    request.write(chunk)
  }
  request.end()
}
