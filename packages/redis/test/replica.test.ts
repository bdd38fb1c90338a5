import { describeNeeding, openProxy, unusedPort } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { openRedis, type Redis } from '../src/index.ts'
import { eventOf, withClient } from './fresh.ts'
import { findServer, ownServer } from './server.ts'

const { signal } = new AbortController()
const hint = 'install redis-server'
const pace = { interval: 200 }
const refusal = expect.stringMatching(/^Redis at .* takes no writes, it is a replica/) as string

const ended = (doing: Promise<unknown>) =>
  doing.then(
    () => 'ok',
    (error: unknown) => (error as Error).message,
  )

async function primaries(command: string) {
  await using stack = new AsyncDisposableStack()
  const open = async () => stack.use(await ownServer(command, await unusedPort()))
  const servers = [await open(), await open()] as const
  for (const { url } of servers) {
    const one = openRedis({ url, retryMs: 20 })
    await expect.poll(() => ended(one.bus().ping()), pace).toBe('ok')
    await one.close()
  }
  const kept = stack.move()
  return { servers, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

function openTold(url: string, told: string[]) {
  const redis = openRedis({
    ...{ url, retryMs: 20 },
    onUnavailable: (error) => told.push((error as Error).message),
    onAvailable: () => told.push('back'),
  })
  return { redis, [Symbol.asyncDispose]: () => redis.close() }
}

describeNeeding({ what: 'the command redis-server', find: findServer, hint }, (command) => {
  // Its word is another then, to ping too: the connection once stayed, although the address led to the new primary.
  it.each([
    ['ping', (redis: Redis) => redis.bus().ping()],
    ['publish', (redis: Redis) => redis.bus().publish([eventOf('doorbell:2')], signal)],
    ['enqueue', (redis: Redis) => redis.queue().enqueue([eventOf('doorbell:2')], signal)],
    ['fail', (redis: Redis) => redis.failureLimiter().fail('192.0.2.1')],
  ])(
    'leaves a replica that gives nothing stale and has lost its primary, once it hears at %s',
    async (_, hear) => {
      await using both = await primaries(command)
      const [first, second] = both.servers
      await using address = await openProxy(first.url, await unusedPort())
      const told: string[] = []
      await using opened = openTold(address.url, told)
      const { redis } = opened
      const bus = redis.bus()
      await bus.ping()
      await expect.poll(() => told, pace).toEqual(['back'])
      const nobody = await unusedPort()
      await withClient(first.url, async (client) => {
        await client.config('SET', 'replica-serve-stale-data', 'no')
        await client.replicaof('127.0.0.1', nobody)
      })
      address.moveTo(second.url)
      await ended(Promise.resolve(hear(redis)))
      await expect.poll(() => ended(bus.ping()), pace).toBe('ok')
      await expect.poll(() => told, pace).toEqual(['back', refusal, 'back'])
      expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: true }])
    },
  )

  // Each new connection to it was once told as back, and each refusal as away.
  it('tells once of a replica that its user may not ask for its role', async () => {
    await using both = await primaries(command)
    const [first, second] = both.servers
    for (const { url } of [first, second])
      await withClient(url, (client) =>
        client.acl('SETUSER', 'uninformed', 'on', 'nopass', '~*', '+@all', '-info'),
      )
    await using address = await openProxy(first.url, await unusedPort())
    const told: string[] = []
    await using opened = openTold(address.url.replace('://', '://uninformed:any@'), told)
    const { redis } = opened
    const bus = redis.bus()
    await bus.ping()
    await expect.poll(() => told, pace).toEqual(['back'])
    await withClient(first.url, (client) => client.replicaof('127.0.0.1', new URL(second.url).port))
    const publish = () => bus.publish([eventOf('doorbell:1')], signal)
    expect(await publish()).toMatchObject([{ ok: false, retryable: true }])
    const before = address.connections
    await expect
      .poll(async () => {
        await publish()
        return address.connections
      })
      .toBeGreaterThan(before + 3)
    expect(told).toEqual(['back', refusal])
    address.moveTo(second.url)
    await expect.poll(publish, pace).toMatchObject([{ ok: true }])
    await expect.poll(() => told, pace).toEqual(['back', refusal, 'back'])
  })
})
