import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { createEvent, freshName, readStream } from '../../test/nats/fresh.ts'
import { openNats } from './index.ts'

const { signal } = new AbortController()

/** Starts a server that accepts connections and never responds. */
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
  // A password that is not percent-encoded threw a URIError.
  it.each([
    ...['', 'localhost:4222', 'http://localhost', 'nats://', 'redis://a-secret@localhost'],
    ...['nats://user:50%off@localhost', 'nats://a%zz@localhost'],
  ])('rejects the URL %j without quoting it', (url) => {
    expect(() => openNats({ url })).toThrow(
      new TypeError('The URL of a NATS server must have the form nats://host:4222'),
    )
  })

  it('ignores a rejection of the onUnavailable hook', async () => {
    const nats = openNats({
      url: `nats://127.0.0.1:${await unusedPort()}`,
      onUnavailable: () => Promise.reject(new Error('from the hook')),
    })
    await expect(nats.bus().ping()).rejects.toThrow('does not answer')
    await nats.close()
  })

  it('names the address of an unavailable server without the password', async () => {
    const reported: unknown[] = []
    const port = await unusedPort()
    const nats = openNats({
      url: `nats://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => reported.push(error),
    })
    const bus = nats.bus()
    const results = await bus.publish([createEvent('doorbell:1'), createEvent('doorbell:2')], signal)
    const error = `NATS at 127.0.0.1:${port} does not answer: check that the server is running`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    expect(JSON.stringify(reported.map(String))).not.toContain('a-secret')
    // One report, regardless of the number of attempts.
    expect(reported).toHaveLength(1)
    await nats.close()
    await expect(bus.ping()).rejects.toThrow('closed')
  })

  it('honors the abort signal when the server never responds', async () => {
    await using silent = await openSilent()
    const nats = openNats({ url: silent.url, connectTimeoutMs: 60_000 })
    const stop = new AbortController()
    const publishing = nats.bus().publish([createEvent('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await nats.close()
  })

  // The client library leaked one socket per attempt until the process had no more file handles.
  it('keeps at most one connection open to a server that never responds', async () => {
    await using silent = await openSilent()
    const reported: unknown[] = []
    const nats = openNats({
      ...{ url: silent.url, connectTimeoutMs: 50, retryMs: 1 },
      onUnavailable: (error) => reported.push(error),
    })
    await expect.poll(silent.taken, { interval: 10 }).toBeGreaterThan(3)
    expect(reported.map(String)).toEqual(['TimeoutError: timeout'])
    await nats.close()
    await expect.poll(() => silent.open.size).toBeLessThan(2)
  })
})

describeWith('nats', (server) => {
  // A probe of every server logged a failed handshake on servers with TLS.
  it('opens only one connection to a server that responds', async () => {
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

  it('connects when the server becomes available and reconnects after a lost connection', async () => {
    const stream = freshName(server())
    const port = await unusedPort()
    const reported: string[] = []
    const nats = openNats({
      ...{ url: `nats://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    })
    const bus = nats.bus({ stream })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([{ ok: false }])

    const publish = (id: string) => bus.publish([createEvent(id)], signal)
    const proxy = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:1')).toEqual([{ ok: true, duplicate: false }])
    await proxy.close()
    await expect.poll(() => reported).toEqual(['unavailable', 'available', 'unavailable'])
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    const again = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:2')).toEqual([{ ok: true, duplicate: false }])
    expect(reported).toEqual(['unavailable', 'available', 'unavailable', 'available'])
    await nats.close()
    await again.close()
    expect((await readStream(server().url, stream)).map(({ id }) => id)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('closes a connection that is reconnecting', async () => {
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

  it('finishes running calls before it closes', async () => {
    const stream = freshName(server())
    const nats = openNats({ url: server().url })
    const bus = nats.bus({ stream })
    await bus.ping()
    const publishing = bus.publish([createEvent('doorbell:1')], signal)
    await nats.close()
    expect(await publishing).toEqual([{ ok: true, duplicate: false }])
  })
})
