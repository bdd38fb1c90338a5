import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { describe, expect, it } from 'vitest'
import { contentOf, eventOf, freshName } from '../test/fresh.ts'
import { openNats } from './index.ts'

const { signal } = new AbortController()

/** Takes connections, says nothing on them, and knows which of them are open. */
async function openSilent(port = 0) {
  const open = new Set<Socket>()
  let taken = 0
  const silent = createServer((socket) => {
    taken += 1
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.resume()
  }).listen(port, '127.0.0.1')
  await once(silent, 'listening')
  return {
    url: `nats://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    open,
    taken: () => taken,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy()
        silent.close(() => {
          resolve()
        })
      }),
  }
}

describe('openNats', () => {
  // A password that is not percent-encoded once threw a URIError.
  it.each([
    ...['', 'localhost:4222', 'http://localhost', 'nats://', 'redis://a-secret@localhost'],
    ...['nats://user:50%off@localhost', 'nats://a%zz@localhost'],
  ])('takes no %j, and does not quote it', (url) => {
    expect(() => openNats({ url })).toThrow(
      new TypeError('The address of a NATS server reads like nats://host:4222'),
    )
  })

  it('goes on when whoever is told of an outage rejects', async () => {
    const nats = openNats({
      url: `nats://127.0.0.1:${await unusedPort()}`,
      onUnavailable: () => Promise.reject(new Error('of the hook')),
    })
    await expect(nats.bus().ping()).rejects.toThrow('does not answer')
    await nats.close()
  })

  it('says where nobody answers, without the password', async () => {
    const told: unknown[] = []
    const port = await unusedPort()
    const nats = openNats({
      url: `nats://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => told.push(error),
    })
    const bus = nats.bus()
    const results = await bus.publish([eventOf('doorbell:1'), eventOf('doorbell:2')], signal)
    const error = `NATS at 127.0.0.1:${port} does not answer: see whether it runs`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    expect(await nats.queue().enqueue([eventOf('doorbell:1')], signal)).toEqual([failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    await expect(nats.queue().receive({ limit: 1, signal })).rejects.toThrow('does not answer')
    expect(JSON.stringify(told.map(String))).not.toContain('a-secret')
    // Once, however often it has tried.
    expect(told).toHaveLength(1)
    await nats.close()
    await expect(bus.ping()).rejects.toThrow('closed')
  })

  it('waits no longer than it is told for a server that says nothing', async () => {
    await using silent = await openSilent()
    const nats = openNats({ url: silent.url, connectTimeoutMs: 60_000 })
    const stop = new AbortController()
    const publishing = nats.bus().publish([eventOf('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await nats.close()
  })

  // The client's sockets once stayed open for as long as the process was there, until it had no more.
  it('leaves one connection at most open to a server that says nothing', async () => {
    await using silent = await openSilent()
    const told: unknown[] = []
    const nats = openNats({
      ...{ url: silent.url, connectTimeoutMs: 50, retryMs: 1 },
      onUnavailable: (error) => told.push(error),
    })
    await expect.poll(silent.taken, { interval: 10 }).toBeGreaterThan(3)
    expect(told.map(String)).toEqual(['TimeoutError: timeout'])
    await nats.close()
    await expect.poll(() => silent.open.size).toBeLessThan(2)
  })
})

describeWith('nats', (server) => {
  // A look at every server once had each start leave a failed handshake in the log of one with TLS.
  it('makes no connection but its own to a server that answers', async () => {
    const { hostname, port } = new URL(server().url)
    let taken = 0
    const counting = createServer((socket) => {
      taken += 1
      const upstream = connect(Number(port), hostname)
      socket.on('error', () => undefined).on('close', () => upstream.destroy())
      upstream.on('error', () => undefined).on('close', () => socket.destroy())
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(counting, 'listening')
    const nats = openNats({ url: `nats://127.0.0.1:${(counting.address() as AddressInfo).port}` })
    await nats.bus({ stream: freshName(server()) }).ping()
    expect(taken).toBe(1)
    await nats.close()
    counting.close()
  })

  it('connects once the server answers, and again when the connection was lost', async () => {
    const stream = freshName(server())
    const port = await unusedPort()
    const told: string[] = []
    const nats = openNats({
      ...{ url: `nats://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => told.push('away'),
      onAvailable: () => told.push('back'),
    })
    const bus = nats.bus({ stream })
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false }])

    const publish = (id: string) => bus.publish([eventOf(id)], signal)
    const proxy = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:1')).toEqual([{ ok: true, duplicate: false }])
    await proxy.close()
    await expect.poll(() => told).toEqual(['away', 'back', 'away'])
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    const again = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:2')).toEqual([{ ok: true, duplicate: false }])
    expect(told).toEqual(['away', 'back', 'away', 'back'])
    await nats.close()
    await again.close()
    expect((await contentOf(server().url, stream)).map(({ id }) => id)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('leaves no connection open that was being made anew', async () => {
    const port = await unusedPort()
    const proxy = await openProxy(server().url, port)
    const nats = openNats({ url: `nats://127.0.0.1:${port}`, retryMs: 20, connectTimeoutMs: 60_000 })
    await nats.bus({ stream: freshName(server()) }).ping()
    await proxy.close()
    await using silent = await openSilent(port)
    await expect.poll(() => silent.open.size).toBe(1)
    await nats.close()
    await expect.poll(() => silent.open.size).toBe(0)
  })

  it('sends what is under way before it ends', async () => {
    const stream = freshName(server())
    const nats = openNats({ url: server().url })
    const bus = nats.bus({ stream })
    await bus.ping()
    const publishing = bus.publish([eventOf('doorbell:1')], signal)
    await nats.close()
    expect(await publishing).toEqual([{ ok: true, duplicate: false }])
  })
})
