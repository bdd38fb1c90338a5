import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A network between a client and a database that can go silent without closing anything. */
export interface Proxy {
  readonly url: string
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export async function createProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sockets: Socket[] = []
  let frozen = false
  const server = createServer((client) => {
    const upstream = connect(Number(port === '' ? 5432 : port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.push(from)
      from.on('data', (bytes) => {
        if (!frozen) to.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
