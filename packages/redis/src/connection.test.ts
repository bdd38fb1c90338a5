import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { describe, expect, it } from 'vitest'
import { eventOf, freshName, idsIn } from '../test/fresh.ts'
import { openRedis } from './index.ts'

const { signal } = new AbortController()

describe('openRedis', () => {
  // A password that is not percent-encoded once threw a URIError.
  it.each([
    ...['', 'localhost:6379', 'http://localhost', 'redis://', 'nats://a-secret@localhost', 'redis://a/b'],
    ...['redis://user:50%off@localhost', 'redis://a%zz@localhost'],
  ])('takes no %j, and does not quote it', (url) => {
    expect(() => openRedis({ url })).toThrow(
      new TypeError('The address of a Redis server reads like redis://host:6379/0'),
    )
  })

  it('goes on when whoever is told of an outage rejects', async () => {
    const redis = openRedis({
      url: `redis://127.0.0.1:${await unusedPort()}`,
      onUnavailable: () => Promise.reject(new Error('of the hook')),
    })
    await expect(redis.bus().ping()).rejects.toThrow('does not answer')
    await redis.close()
  })

  it('says where nobody answers, without the password', async () => {
    const told: unknown[] = []
    const port = await unusedPort()
    const redis = openRedis({
      url: `redis://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => told.push(error),
    })
    const bus = redis.bus()
    const results = await bus.publish([eventOf('doorbell:1'), eventOf('doorbell:2')], signal)
    const error = `Redis at 127.0.0.1:${port} does not answer: see whether it runs`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    expect(await redis.queue().enqueue([eventOf('doorbell:1')], signal)).toEqual([failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    await expect(redis.queue().receive({ limit: 1, signal })).rejects.toThrow('does not answer')
    await expect(redis.failureLimiter().check('192.0.2.1')).rejects.toThrow('does not answer')
    expect(told.map(String)).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(JSON.stringify(told)).not.toContain('a-secret')
    await redis.close()
    await expect(bus.ping()).rejects.toThrow('closed')
  })

  it('waits no longer than it is told for a server that says nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const redis = openRedis({
      url: `redis://127.0.0.1:${port}`,
      connectTimeoutMs: 60_000,
      closeTimeoutMs: 50,
    })
    const stop = new AbortController()
    const publishing = redis.bus().publish([eventOf('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await redis.close()
    silent.close()
  })
})

describeWith('redis', (server) => {
  it('connects once the server answers, and again when the connection was lost', async () => {
    const name = freshName(server())
    const port = await unusedPort()
    const told: string[] = []
    const redis = openRedis({
      ...{ url: `redis://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => told.push('away'),
      onAvailable: () => told.push('back'),
    })
    const [bus, queue] = [redis.bus({ stream: name }), redis.queue({ name })]
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false }])

    const publish = (id: string) => bus.publish([eventOf(id)], signal)
    const proxy = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:1')).toEqual([{ ok: true, duplicate: false }])
    await queue.enqueue([eventOf('doorbell:1')], signal)
    await proxy.close()
    await expect.poll(() => told).toEqual(['away', 'back', 'away'])
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    const again = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:2')).toEqual([{ ok: true, duplicate: false }])
    expect((await queue.receive({ limit: 9, signal })).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    expect(told).toEqual(['away', 'back', 'away', 'back'])
    await redis.close()
    await again.close()
    expect(await idsIn(server().url, name)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('tells nobody a password or an event in its errors', async () => {
    const told: unknown[] = []
    const redis = openRedis({
      url: server().url.replace('://', '://nobody:a-secret@'),
      onUnavailable: (error) => told.push(error),
    })
    const bus = redis.bus({ stream: freshName(server()) })
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false, retryable: true }])
    await expect.poll(() => told).toHaveLength(1)
    expect(String(told[0])).toContain('WRONGPASS')
    expect(JSON.stringify(told, Object.getOwnPropertyNames(told[0]))).not.toContain('a-secret')
    await redis.close()
  })

  it('finishes what is under way before it ends', async () => {
    const redis = openRedis({ url: server().url })
    const bus = redis.bus({ stream: freshName(server()) })
    await bus.ping()
    const publishing = bus.publish([eventOf('doorbell:1')], signal)
    await redis.close()
    expect(await publishing).toEqual([{ ok: true, duplicate: false }])
  })
})
