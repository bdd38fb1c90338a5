import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { createEvent, freshName, readIds } from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'

const { signal } = new AbortController()

describe('openRedis', () => {
  // A password that is not percent-encoded threw a URIError.
  it.each([
    ...['', 'localhost:6379', 'http://localhost', 'redis://', 'nats://a-secret@localhost', 'redis://a/b'],
    ...['redis://user:50%off@localhost', 'redis://a%zz@localhost'],
  ])('rejects the URL %j without quoting it', (url) => {
    expect(() => openRedis({ url })).toThrow(
      new TypeError('The URL of a Redis server must have the form redis://host:6379/0'),
    )
  })

  it('ignores a rejection of the onUnavailable hook', async () => {
    const redis = openRedis({
      url: `redis://127.0.0.1:${await unusedPort()}`,
      onUnavailable: () => Promise.reject(new Error('from the hook')),
    })
    await expect(redis.bus().ping()).rejects.toThrow('does not answer')
    await redis.close()
  })

  it('names the address of an unavailable server without the password', async () => {
    const reported: unknown[] = []
    const port = await unusedPort()
    const redis = openRedis({
      url: `redis://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => reported.push(error),
    })
    const bus = redis.bus()
    const results = await bus.publish([createEvent('doorbell:1'), createEvent('doorbell:2')], signal)
    const error = `Redis at 127.0.0.1:${port} does not answer: check that the server is running`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    await expect(redis.failureLimiter().check('192.0.2.1')).rejects.toThrow('does not answer')
    expect(reported.map(String)).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(JSON.stringify(reported)).not.toContain('a-secret')
    await redis.close()
    await expect(bus.ping()).rejects.toThrow('closed')
  })

  it('honors the abort signal and closeTimeoutMs when the server never responds', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const redis = openRedis({
      url: `redis://127.0.0.1:${port}`,
      connectTimeoutMs: 60_000,
      closeTimeoutMs: 50,
    })
    const stop = new AbortController()
    const publishing = redis.bus().publish([createEvent('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await redis.close()
    silent.close()
  })
})

describeWith('redis', (server) => {
  it('connects when the server becomes available and reconnects after a lost connection', async () => {
    const name = freshName(server())
    const port = await unusedPort()
    const reported: string[] = []
    const redis = openRedis({
      ...{ url: `redis://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    })
    const bus = redis.bus({ stream: name })
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
    await redis.close()
    await again.close()
    expect(await readIds(server().url, name)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('reports errors without a password or an event', async () => {
    const reported: unknown[] = []
    const redis = openRedis({
      url: server().url.replace('://', '://nobody:a-secret@'),
      onUnavailable: (error) => reported.push(error),
    })
    const bus = redis.bus({ stream: freshName(server()) })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([
      { ok: false, retryable: true },
    ])
    await expect.poll(() => reported).toHaveLength(1)
    expect(String(reported[0])).toContain('WRONGPASS')
    expect(JSON.stringify(reported, Object.getOwnPropertyNames(reported[0]))).not.toContain('a-secret')
    await redis.close()
  })

  it('finishes running calls before it closes', async () => {
    const redis = openRedis({ url: server().url })
    const bus = redis.bus({ stream: freshName(server()) })
    await bus.ping()
    const publishing = bus.publish([createEvent('doorbell:1')], signal)
    await redis.close()
    expect(await publishing).toEqual([{ ok: true, duplicate: false }])
  })
})
