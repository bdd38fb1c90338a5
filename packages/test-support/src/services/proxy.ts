import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy extends AsyncDisposable {
  /** The address of the proxy, in the form of the server's address. */
  readonly url: string
  /** The number of connections so far. */
  readonly connections: number
  /** Forwards new connections to another server. Existing connections stay open. */
  moveTo(url: string): void
  /** Passes nothing further on the existing connections, which stay open. */
  freeze(): void
  close(): Promise<void>
}

/** Starts a proxy that forwards connections to a server. */
export async function openProxy(url: string, port: number): Promise<Proxy> {
  const own = new URL(url)
  own.host = `127.0.0.1:${port}`
  let to = new URL(url)
  let connections = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    connections += 1
    const upstream = connect(Number(to.port), to.hostname)
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => other.destroy())
      from.pipe(other)
    }
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  const close = async () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
    await once(proxy, 'close')
  }
  return {
    url: own.href,
    get connections() {
      return connections
    },
    moveTo(next) {
      to = new URL(next)
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
