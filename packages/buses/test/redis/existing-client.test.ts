import { describeNeeding, describeWith, unusedPort } from '@sallyport/test-support/services'
import { Cluster, Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import type { RedisClient } from '../../src/redis/redis.ts'
import { startCluster } from './cluster.ts'
import { createEvent, freshName, readIds } from './fresh.ts'
import { startSentinel } from './sentinel.ts'
import { findServer } from './server.ts'

const { signal } = new AbortController()
const needed = { what: 'the command redis-server', find: findServer, hint: 'install redis-server' }
const added = { ok: true, duplicate: false }

/** Uses the bus, a consumer and the limiter. */
async function useEverything(redis: RedisClient, name?: string) {
  const event = createEvent('doorbell:1')
  const bus = redis.bus(name === undefined ? {} : { stream: name })
  await bus.ping()
  const handler = vi.fn()
  const options = name === undefined ? {} : { stream: name }
  const consumer = redis.consumer({ ...options, name: 'reader', handlers: { [event.name]: handler } })
  await consumer.start()
  expect(await bus.publish([event, createEvent('doorbell:2')], signal)).toEqual([added, added])
  expect(await bus.publish([event], signal)).toEqual([{ ok: true, duplicate: true }])
  await expect.poll(() => handler.mock.calls.length).toBe(2)
  await consumer.stop()

  const limiter = redis.failureLimiter({ failures: 1, ...(name !== undefined && { prefix: name }) })
  await limiter.fail('192.0.2.1')
  expect(await limiter.check('192.0.2.1')).toBeGreaterThan(0)
}

describeWith('redis', (server) => {
  describe('a client of the application', () => {
    it('is used by the bus, consumers and limiters, and stays open', async () => {
      const client = new Redis(server().url)
      const redis = openRedis({ client })
      await useEverything(redis, freshName(server()))
      await redis.close()
      await expect(redis.bus().ping()).rejects.toThrow('closed')
      expect(await client.ping()).toBe('PONG')
      client.disconnect()
    })

    it('connects with the first call if it is lazy', async () => {
      const client = new Redis(server().url, { lazyConnect: true })
      const redis = openRedis({ client })
      const stream = freshName(server())
      expect(await redis.bus({ stream }).publish([createEvent('doorbell:1')], signal)).toEqual([added])
      await redis.close()
      client.disconnect()
      expect(await readIds(server().url, stream)).toEqual(['doorbell:1'])
    })
  })
})

it('returns a retryable failure while the client of the application is not connected', async () => {
  const client = new Redis(await unusedPort(), '127.0.0.1', { retryStrategy: () => null })
  client.on('error', () => undefined)
  const redis = openRedis({ client })
  const results = await redis.bus().publish([createEvent('doorbell:1')], signal)
  expect(results).toMatchObject([{ ok: false, retryable: true }])
  await expect(redis.bus().ping()).rejects.toThrow('The client of Redis is not connected')
  await redis.close()
})

describeNeeding(needed, (command) => {
  it('uses a cluster, whose keys get hash tags', { timeout: 60_000 }, async () => {
    await using cluster = await startCluster(command)
    const client = new Cluster(cluster.startNodes)
    const redis = openRedis({ client })
    await useEverything(redis)
    await useEverything(redis, '{shop}')
    expect(() => redis.bus({ stream: 'shop' })).toThrow(
      new TypeError('stream must have a hash tag in a Redis Cluster, such as {shop}'),
    )
    await redis.close()
    client.disconnect()
  })

  it('uses the primary that Sentinel names, also after a failover', { timeout: 60_000 }, async () => {
    await using group = await startSentinel(command)
    const { sentinels, name, primary, replicaUrl } = group
    const client = new Redis({ sentinels, name })
    client.on('error', () => undefined)
    const redis = openRedis({ client })
    await useEverything(redis)
    await primary.kill()
    await expect
      .poll(() => redis.bus().publish([createEvent('doorbell:9')], signal), {
        timeout: 30_000,
        interval: 200,
      })
      .toMatchObject([{ ok: true }])
    expect(await readIds(replicaUrl, 'sallyport')).toContain('doorbell:9')
    await redis.close()
    client.disconnect()
    primary.restart()
  })
})
