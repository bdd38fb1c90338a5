import { describeNeeding, openProxy, unusedPort } from '@sallyport/test-support/services'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
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
    const [bus, queue] = [redis.bus(), redis.queue()]
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')

    const events = Array.from({ length: 400 }, (_, index) => createEvent(`doorbell:${index}`))
    const batches = Array.from({ length: 40 }, (_, index) => events.slice(index * 10, index * 10 + 10))
    const sendAll = async (send: (batch: readonly InternalEvent[]) => Promise<readonly PublishResult[]>) => {
      const results: PublishResult[] = []
      for (const batch of batches) results.push(...(await send(batch)))
      return results
    }
    const publishAll = () => sendAll((batch) => bus.publish(batch, signal))
    const enqueueAll = () => sendAll((batch) => queue.enqueue(batch, signal))

    let enqueued = 0
    const sending = [
      publishAll(),
      sendAll(async (batch) => {
        const results = await queue.enqueue(batch, signal)
        enqueued += results.filter(({ ok }) => ok).length
        return results
      }),
    ]
    await expect.poll(() => enqueued, { ...pace, interval: 1 }).toBeGreaterThan(0)
    await server.kill()
    server.restart()
    const before = await Promise.all(sending)

    const answered = (results: readonly PublishResult[]) => results.every(({ ok }) => ok)
    for (const [index, again] of [publishAll, enqueueAll].entries()) {
      let after: readonly PublishResult[] = []
      await expect.poll(async () => answered((after = await again())), pace).toBe(true)
      const lost = after.filter(
        (result, index_) => before[index]![index_]!.ok && !(result.ok && result.duplicate),
      )
      expect(lost).toEqual([])
    }

    const ids = events.map(({ id }) => id)
    expect((await readIds(url, 'sallyport')).toSorted()).toEqual(ids.toSorted())
    // Events whose response was lost are available again after their lease.
    const acknowledged: string[] = []
    const receiveAll = async () => {
      for (const held of await queue.receive({ limit: 1000, signal }))
        if (await held.ack()) acknowledged.push(held.event.id)
      return acknowledged.length
    }
    await expect.poll(receiveAll, pace).toBeGreaterThanOrEqual(ids.length)
    expect(acknowledged.sort()).toEqual(ids.toSorted())
    expect(await queue.receive({ limit: 1000, signal })).toEqual([])
    await redis.close()
  })

  it('returns retryable failures while the server is out of memory', async () => {
    await using server = await startServer(command, await unusedPort())
    const { url } = server
    const redis = openRedis({ url, retryMs: 50 })
    const [bus, queue] = [redis.bus(), redis.queue()]
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')
    const limit = (maximum: string) => withClient(url, (client) => client.config('SET', 'maxmemory', maximum))
    const send = async () => [
      ...(await bus.publish([createEvent('doorbell:1')], signal)),
      ...(await queue.enqueue([createEvent('doorbell:1')], signal)),
    ]
    await limit('1')
    const refusal = { ok: false, retryable: true, error: expect.stringMatching(/^Redis: .*OOM/) as string }
    expect(await send()).toEqual([refusal, refusal])
    await limit('0')
    expect(await send()).toMatchObject([{ ok: true, duplicate: false }, { ok: true }])
    expect((await queue.receive({ limit: 9, signal })).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    await redis.close()
  })

  // The client kept the silent connection, and a queue that was opened during the outage never started.
  it('reconnects after a server did not respond, and opens the queue then', async () => {
    await using server = await startServer(command, await unusedPort())
    const reported: string[] = []
    const redis = openRedis({
      ...{ url: server.url, retryMs: 50, timeoutMs: 200 },
      onUnavailable: (error) => reported.push(`unavailable: ${(error as Error).message}`),
      onAvailable: () => reported.push('available'),
    })
    const [bus, queue] = [redis.bus(), redis.queue()]
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')
    reported.length = 0

    server.freeze()
    const enqueue = () => queue.enqueue([createEvent('doorbell:1')], signal)
    const late = 'Redis: Command timed out'
    expect(await enqueue()).toEqual([{ ok: false, retryable: true, error: late }])
    await expect(redis.failureLimiter().fail('192.0.2.1')).rejects.toThrow(late)
    await expect.poll(() => reported, pace).toEqual(['unavailable: Redis: No response for 400 ms'])
    server.thaw()
    await expect.poll(async () => (await enqueue())[0]!.ok, pace).toBe(true)
    expect(await redis.failureLimiter().fail('192.0.2.1')).toBe(0)
    expect((await queue.receive({ limit: 9, signal })).map(({ event }) => event.id)).toEqual(['doorbell:1'])
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
    const [bus, queue, limiter] = [redis.bus(), redis.queue(), redis.failureLimiter()]
    const writes = [
      async (id: string) => (await bus.publish([createEvent(id)], signal))[0]!.ok,
      async (id: string) => (await queue.enqueue([createEvent(id)], signal))[0]!.ok,
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
    for (const [turn, hear] of [...writes, () => bus.ping(), () => queue.ping()].entries()) {
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
      await Promise.all([bus.ping(), queue.ping()])
      ;[primary, other] = [other, primary]
    }
    await redis.close()
  })
})
