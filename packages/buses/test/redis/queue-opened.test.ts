import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import { createEvent, freshName, withClient } from './fresh.ts'

const { signal } = new AbortController()

/** Starts a proxy that forwards to a server from a given time on and cuts connections that match `isCut`. */
async function proxyTo(
  url: string,
  isCut: (said: string, connection: number) => boolean,
  from: Promise<unknown> = Promise.resolve(),
) {
  const { hostname, port, pathname } = new URL(url)
  const sockets = new Set<Socket>()
  let connections = 0
  const proxy = createServer((socket) => {
    const connection = ++connections
    const server = connect(Number(port), hostname)
    for (const one of [socket, server]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        socket.destroy()
        server.destroy()
      })
    }
    server.pipe(socket)
    void from.then(() =>
      socket.on('data', (chunk) => {
        if (isCut(chunk.toString('latin1'), connection)) socket.destroy()
        else server.write(chunk)
      }),
    )
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const one of sockets) one.destroy()
        proxy.close(() => {
          resolve()
        })
      }),
  }
}

describeWith('redis', (server) => {
  // BullMQ never recovers from this failure: no event could be acknowledged afterwards.
  it('opens the queue again when its second connection fails during the start', async () => {
    let asked = 0
    // ioredis sends the first INFO, BullMQ the second.
    await using proxy = await proxyTo(
      server().url,
      (said, connection) => connection === 2 && /\r\ninfo\r\n/i.test(said) && ++asked === 2,
    )
    const redis = openRedis({ url: proxy.url, retryMs: 20 })
    const queue = redis.queue({ name: freshName(server()) })
    const enqueue = async () => (await queue.enqueue([createEvent('doorbell:1')], signal))[0]!.ok
    await expect.poll(enqueue).toBe(true)
    expect(asked).toBe(2)
    const [held] = await queue.receive({ limit: 1, signal })
    expect(await held!.ack()).toBe(true)
    await redis.close()
  })

  it('reports that the second connection did not open', async () => {
    await using proxy = await proxyTo(server().url, (_, connection) => connection > 1)
    const redis = openRedis({ url: proxy.url, retryMs: 20, connectTimeoutMs: 500, timeoutMs: 500 })
    const queue = redis.queue({ name: freshName(server()) })
    const receive = () => queue.receive({ limit: 1, signal }).then(() => 'received', String)
    await expect.poll(receive).toContain('did not open a second connection for the queue in time')
    await redis.close()
  })

  // The connection and timers of BullMQ kept the process alive.
  it('starts nothing for a queue that was closed before the server responded', async () => {
    const answering = Promise.withResolvers<undefined>()
    await using proxy = await proxyTo(server().url, () => false, answering.promise)
    const redis = openRedis({ url: proxy.url, connectTimeoutMs: 60_000 })
    const queue = redis.queue({ name: freshName(server()) })
    const stop = new AbortController()
    const enqueueing = queue.enqueue([createEvent('doorbell:1')], stop.signal)
    stop.abort()
    await expect(enqueueing).rejects.toThrow('aborted')
    await queue.close()
    answering.resolve(undefined)
    // Both wait for the same response, so a connection of the queue would be open by now.
    await redis.bus().ping()
    await withClient(proxy.url, (client) => client.ping())
    expect(proxy.connections()).toBe(2)
    await redis.close()
  })
})
