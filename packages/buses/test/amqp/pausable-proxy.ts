import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Starts a proxy that can pause the traffic in both directions or only the responses. */
export async function openPausableProxy(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = { asking: new Set<Socket>(), answering: new Set<Socket>() }
  const all = () => [...sockets.asking, ...sockets.answering]
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    sockets.asking.add(client.on('error', () => undefined))
    sockets.answering.add(upstream.on('error', () => undefined))
    client.on('close', () => upstream.destroy()).on('data', (chunk) => upstream.write(chunk))
    upstream.on('close', () => client.destroy()).on('data', (chunk) => client.write(chunk))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `amqp://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    pause() {
      for (const socket of all()) socket.pause()
    },
    /** Pauses the responses. The server still receives everything. */
    pauseResponses() {
      for (const socket of sockets.answering) socket.pause()
    },
    resume() {
      for (const socket of all()) socket.resume()
    },
    close() {
      for (const socket of all()) socket.destroy()
      proxy.close()
    },
  }
}
