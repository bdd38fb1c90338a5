import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Makes a server answer on another port, until it is closed. */
export async function openProxy(url: string, port: number): Promise<{ close(): Promise<void> }> {
  const { hostname, port: upstreamPort } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(upstreamPort), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    async close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await once(proxy, 'close')
    },
  }
}
