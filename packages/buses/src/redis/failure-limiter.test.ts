import { describeWith } from '@sallyport/test-support/services'
import { testFailureLimiter } from '@sallyport/testing'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'
import type { RedisClient } from './redis.ts'

describeWith('redis', (server) => {
  const replicas: RedisClient[] = []
  beforeAll(() => {
    replicas.push(openRedis({ url: server().url }), openRedis({ url: server().url }))
  })
  afterAll(() => Promise.all(replicas.map((one) => one.close())))
  const redis = (index = 0) => replicas[index]!

  const prefixes = new WeakMap<object, string>()
  testFailureLimiter(
    { describe, expect, it },
    {
      create({ failures, windowMs }) {
        const prefix = freshName(server())
        const limiter = redis().failureLimiter({ prefix, failures, windowMs })
        prefixes.set(limiter, prefix)
        return limiter
      },
      reopen: (limiter, { failures, windowMs }) =>
        redis(1).failureLimiter({ prefix: prefixes.get(limiter)!, failures, windowMs }),
      // Only real time moves the clock of the server.
      pass: (milliseconds) => sleep(milliseconds + 200),
    },
  )

  it('blocks an address after 20 failures in a minute', async () => {
    const limiter = redis().failureLimiter({ prefix: freshName(server()) })
    for (let count = 0; count < 20; count++) expect(await limiter.fail('192.0.2.1')).toBe(0)
    const blockedMs = await limiter.fail('192.0.2.1')
    expect(blockedMs).toBeGreaterThan(0)
    expect(blockedMs).toBeLessThanOrEqual(60_000)
  })
})
