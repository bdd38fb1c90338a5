import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Leads to another server from a time on; connections that were made before stay. */
export async function movingAddress(url: string) {
  const sockets = new Set<Socket>()
  let connections = 0
  const proxy = createServer((socket) => {
    connections++
    const { hostname, port } = new URL(url)
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => to.destroy())
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** How many were made so far. */
    get connections() {
      return connections
    },
    moveTo(next: string) {
      url = next
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => {
          resolve()
        })
      }),
  }
}
