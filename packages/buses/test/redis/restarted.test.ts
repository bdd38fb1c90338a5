import { describeNeeding, openProxy, unusedPort } from '@sallyport/test-support/services'
import type { PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import { createEvent, readIds, withClient } from './fresh.ts'
import { findServer, startServer } from './server.ts'

const { signal } = new AbortController()
const hint = 'install redis-server'
const pace = { interval: 200 }

describeNeeding({ what: 'the command redis-server', find: findServer, hint }, (command) => {
  it('keeps everything that it acknowledged when the server is killed', async () => {
    await using server = await startServer(command, await unusedPort())
    const { url } = server
    const redis = openRedis({ url, retryMs: 50, timeoutMs: 2000 })
    const bus = redis.bus()
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')

    const events = Array.from({ length: 400 }, (_, index) => createEvent(`doorbell:${index}`))
    const batches = Array.from({ length: 40 }, (_, index) => events.slice(index * 10, index * 10 + 10))
    let published = 0
    const publishAll = async () => {
      const results: PublishResult[] = []
      for (const batch of batches) {
        results.push(...(await bus.publish(batch, signal)))
        published = results.filter(({ ok }) => ok).length
      }
      return results
    }

    const sending = publishAll()
    await expect.poll(() => published, { ...pace, interval: 1 }).toBeGreaterThan(0)
    await server.kill()
    server.restart()
    const before = await sending

    const answered = (results: readonly PublishResult[]) => results.every(({ ok }) => ok)
    let after: readonly PublishResult[] = []
    await expect.poll(async () => answered((after = await publishAll())), pace).toBe(true)
    const lost = after.filter((result, index) => before[index]!.ok && !(result.ok && result.duplicate))
    expect(lost).toEqual([])

    const ids = events.map(({ id }) => id)
    expect((await readIds(url, 'sallyport')).toSorted()).toEqual(ids.toSorted())
    await redis.close()
  })

  it('returns retryable failures while the server is out of memory', async () => {
    await using server = await startServer(command, await unusedPort())
    const { url } = server
    const redis = openRedis({ url, retryMs: 50 })
    const bus = redis.bus()
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')
    const limit = (maximum: string) => withClient(url, (client) => client.config('SET', 'maxmemory', maximum))
    const send = () => bus.publish([createEvent('doorbell:1')], signal)
    await limit('1')
    const refusal = { ok: false, retryable: true, error: expect.stringMatching(/^Redis: .*OOM/) as string }
    expect(await send()).toEqual([refusal])
    await limit('0')
    expect(await send()).toMatchObject([{ ok: true, duplicate: false }])
    await redis.close()
  })

  // The client kept the silent connection.
  it('reconnects after a server did not respond', async () => {
    await using server = await startServer(command, await unusedPort())
    const reported: string[] = []
    const redis = openRedis({
      ...{ url: server.url, retryMs: 50, timeoutMs: 200 },
      onUnavailable: (error) => reported.push(`unavailable: ${(error as Error).message}`),
      onAvailable: () => reported.push('available'),
    })
    const bus = redis.bus()
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')
    reported.length = 0

    server.freeze()
    const publish = () => bus.publish([createEvent('doorbell:1')], signal)
    const late = 'Redis: Command timed out'
    expect(await publish()).toEqual([{ ok: false, retryable: true, error: late }])
    await expect(redis.failureLimiter().fail('192.0.2.1')).rejects.toThrow(late)
    await expect.poll(() => reported, pace).toEqual(['unavailable: Redis: No response for 400 ms'])
    server.thaw()
    await expect.poll(async () => (await publish())[0]!.ok, pace).toBe(true)
    expect(await redis.failureLimiter().fail('192.0.2.1')).toBe(0)
    expect(reported[1]).toBe('available')
    await redis.close()
  })

  // The connection stayed open, and every write failed until the process restarted.
  it('reconnects to the new primary after its server became a replica', async () => {
    await using first = await startServer(command, await unusedPort())
    await using second = await startServer(command, await unusedPort())
    for (const { url } of [first, second]) {
      const one = openRedis({ url, retryMs: 20 })
      await expect
        .poll(
          () =>
            one
              .bus()
              .ping()
              .then(() => 'ok', String),
          pace,
        )
        .toBe('ok')
      await one.close()
    }
    const reported: string[] = []
    await using address = await openProxy(first.url, await unusedPort())
    const redis = openRedis({
      ...{ url: address.url, retryMs: 20 },
      onUnavailable: (error) => reported.push((error as Error).message),
      onAvailable: () => reported.push('available'),
    })
    const [bus, limiter] = [redis.bus(), redis.failureLimiter()]
    const writes = [
      async (id: string) => (await bus.publish([createEvent(id)], signal))[0]!.ok,
      async () => {
        try {
          return (await limiter.fail('192.0.2.1')) >= 0
        } catch {
          return false
        }
      },
    ]
    for (const write of writes) expect(await write('doorbell:1')).toBe(true)

    // Each operation detects the replica in turn, because the first to detect it reconnects for all.
    let [primary, other] = [first, second]
    for (const [turn, hear] of [...writes, () => bus.ping()].entries()) {
      reported.length = 0
      await withClient(other.url, (client) => client.replicaof('NO', 'ONE'))
      await withClient(primary.url, (client) => client.replicaof('127.0.0.1', new URL(other.url).port))
      const refusal = expect.stringMatching(/^Redis at .* is a replica and does not accept writes/) as string
      if (turn < writes.length) expect(await hear(`doorbell:${turn}`)).toBe(false)
      const said = () =>
        Promise.resolve(hear('')).then(
          () => 'ok',
          (error: unknown) => (error as Error).message,
        )
      // The error stays until the address leads to the new primary.
      if (turn >= writes.length) await expect.poll(said, pace).toEqual(refusal)
      await expect.poll(() => reported, pace).toEqual([refusal])
      address.moveTo(other.url)
      for (const write of writes) await expect.poll(() => write(`doorbell:after:${turn}`), pace).toBe(true)
      await expect.poll(() => reported, pace).toEqual([refusal, 'available'])
      await bus.ping()
      ;[primary, other] = [other, primary]
    }
    await redis.close()
  })
})
