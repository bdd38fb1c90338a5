import { setTimeout as sleep } from 'node:timers/promises'
import { describeWith } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { freshName } from '../test/fresh.ts'
import { openRedis } from './index.ts'

describeWith('redis', (server) => {
  it('blocks an address for all replicas once it has failed 20 times in a minute', async () => {
    const replicas = [openRedis({ url: server().url }), openRedis({ url: server().url })] as const
    const prefix = freshName(server())
    const [one, other] = replicas.map((redis) => redis.failureLimiter({ prefix }))
    const answers: number[] = []
    for (let count = 0; count < 20; count++) {
      expect(await one!.check('192.0.2.1')).toBe(0)
      answers.push(await (count % 2 === 0 ? one! : other!).fail('192.0.2.1'))
    }
    expect(answers).toEqual(answers.map(() => 0))
    for (const limiter of [one!, other!]) {
      const blockedMs = [await limiter.check('192.0.2.1'), await limiter.fail('192.0.2.1')]
      for (const milliseconds of blockedMs) {
        expect(milliseconds).toBeGreaterThan(0)
        expect(milliseconds).toBeLessThanOrEqual(60_000)
      }
      expect(await limiter.check('192.0.2.2')).toBe(0)
    }
    await Promise.all(replicas.map((redis) => redis.close()))
  })

  it('counts every one of those that come at once', async () => {
    const redis = openRedis({ url: server().url })
    const limiter = redis.failureLimiter({ prefix: freshName(server()), failures: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, async () => limiter.fail('192.0.2.1')))
    expect(answers.filter((milliseconds) => milliseconds === 0)).toHaveLength(3)
    await redis.close()
  })

  it('counts a network of IPv6 as one, and forgets it when the window has passed', async () => {
    const redis = openRedis({ url: server().url })
    const limiter = redis.failureLimiter({ prefix: freshName(server()), failures: 1, windowMs: 1000 })
    await limiter.fail('2001:db8::1')
    const blockedMs = await limiter.check('2001:db8::2')
    expect(blockedMs).toBeLessThanOrEqual(1000)
    expect(await limiter.check('2001:db8:0:1::1')).toBe(0)
    await sleep(blockedMs + 100)
    expect(await limiter.check('2001:db8::2')).toBe(0)
    expect(() => redis.failureLimiter({ windowMs: 1500 })).toThrow('whole seconds')
    await redis.close()
  })
})
