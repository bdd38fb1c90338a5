import { describeNeeding, openProxy, unusedPort } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import type { RedisClient } from '../../src/redis/redis.ts'
import { createEvent, withClient } from './fresh.ts'
import { findServer, startServer } from './server.ts'

const { signal } = new AbortController()
const hint = 'install redis-server'
const pace = { interval: 200 }
const refusal = expect.stringMatching(/^Redis at .* is a replica and does not accept writes/) as string

const ended = (doing: Promise<unknown>) =>
  doing.then(
    () => 'ok',
    (error: unknown) => (error as Error).message,
  )

async function primaries(command: string) {
  await using stack = new AsyncDisposableStack()
  const open = async () => stack.use(await startServer(command, await unusedPort()))
  const servers = [await open(), await open()] as const
  for (const { url } of servers) {
    const one = openRedis({ url, retryMs: 20 })
    await expect.poll(() => ended(one.bus().ping()), pace).toBe('ok')
    await one.close()
  }
  const kept = stack.move()
  return { servers, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

function openReporting(url: string, reported: string[]) {
  const redis = openRedis({
    ...{ url, retryMs: 20 },
    onUnavailable: (error) => reported.push((error as Error).message),
    onAvailable: () => reported.push('available'),
  })
  return { redis, [Symbol.asyncDispose]: () => redis.close() }
}

describeNeeding({ what: 'the command redis-server', find: findServer, hint }, (command) => {
  // The replica then answers MASTERDOWN, also to PING.
  it.each([
    ['ping', (redis: RedisClient) => redis.bus().ping()],
    ['publish', (redis: RedisClient) => redis.bus().publish([createEvent('doorbell:2')], signal)],
    ['fail', (redis: RedisClient) => redis.failureLimiter().fail('192.0.2.1')],
  ])(
    'reconnects at %s when the server is a replica without stale reads and without a primary',
    async (_, hear) => {
      await using both = await primaries(command)
      const [first, second] = both.servers
      await using address = await openProxy(first.url, await unusedPort())
      const reported: string[] = []
      await using opened = openReporting(address.url, reported)
      const { redis } = opened
      const bus = redis.bus()
      await bus.ping()
      await expect.poll(() => reported, pace).toEqual(['available'])
      const unused = await unusedPort()
      await withClient(first.url, async (client) => {
        await client.config('SET', 'replica-serve-stale-data', 'no')
        await client.replicaof('127.0.0.1', unused)
      })
      address.moveTo(second.url)
      await ended(Promise.resolve(hear(redis)))
      await expect.poll(() => ended(bus.ping()), pace).toBe('ok')
      await expect.poll(() => reported, pace).toEqual(['available', refusal, 'available'])
      expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([{ ok: true }])
    },
  )

  // Every reconnection called onAvailable, and every refusal onUnavailable.
  it('reports a replica once if the user may not run INFO', async () => {
    await using both = await primaries(command)
    const [first, second] = both.servers
    for (const { url } of [first, second])
      await withClient(url, (client) =>
        client.acl('SETUSER', 'uninformed', 'on', 'nopass', '~*', '+@all', '-info'),
      )
    await using address = await openProxy(first.url, await unusedPort())
    const reported: string[] = []
    await using opened = openReporting(address.url.replace('://', '://uninformed:any@'), reported)
    const { redis } = opened
    const bus = redis.bus()
    await bus.ping()
    await expect.poll(() => reported, pace).toEqual(['available'])
    await withClient(first.url, (client) => client.replicaof('127.0.0.1', new URL(second.url).port))
    const publish = () => bus.publish([createEvent('doorbell:1')], signal)
    expect(await publish()).toMatchObject([{ ok: false, retryable: true }])
    const before = address.connections
    await expect
      .poll(async () => {
        await publish()
        return address.connections
      })
      .toBeGreaterThan(before + 3)
    expect(reported).toEqual(['available', refusal])
    address.moveTo(second.url)
    await expect.poll(publish, pace).toMatchObject([{ ok: true }])
    await expect.poll(() => reported, pace).toEqual(['available', refusal, 'available'])
  })
})
