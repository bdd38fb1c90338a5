import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy extends AsyncDisposable {
  /** Its own address, in the form of the server's. */
  readonly url: string
  /** How many connections were made to it so far. */
  readonly connections: number
  /** Leads to another server from now on; connections that were made before stay. */
  moveTo(url: string): void
  close(): Promise<void>
}

/** Makes a server answer on another port, until it is closed. */
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
    close,
    [Symbol.asyncDispose]: close,
  }
}
