import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describeWith } from '@sallyport/test-support/services'
import { expect, it, vi } from 'vitest'
import { createEvent, freshName, withClient } from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'

const { signal } = new AbortController()
const readme = readFileSync(new URL('../../../../docs/reference/buses/redis.md', import.meta.url), 'utf8')

/** Reads the ACL rules from the README. */
function readRules(): readonly string[] {
  const [, block = ''] = /```\nACL SETUSER sallyport [^\n]*\n([\s\S]*?)```/.exec(readme) ?? []
  return block.split(/\s+/).filter((rule) => rule !== '' && rule !== '\\')
}

describeWith('redis', (server) => {
  it('allows exactly the operations that the ACL rules of the README cover', async () => {
    const name = freshName(server())
    const [user, password] = [name, randomBytes(16).toString('hex')]
    const mine = readRules().map((rule) =>
      rule
        .replace(/^~sallyport(?=$|:id|-queue)/, `~${name}`)
        .replace('sallyport:failures', `${name}:failures`),
    )
    await withClient(server().url, async (admin) => {
      await admin.call('ACL', 'SETUSER', user, 'reset', 'on', `>${password}`, ...mine)
      const url = new URL(server().url)
      Object.assign(url, { username: user, password })
      const redis = openRedis({ url: url.href })
      try {
        const bus = redis.bus({ stream: name })
        await bus.ping()
        for (const duplicate of [false, true])
          expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true, duplicate }])

        const handler = vi.fn()
        const queue = { stream: `${name}-queue`, workQueue: true }
        const consumer = redis.consumer({ name: 'drainer', handlers: handler, ...queue })
        await consumer.start()
        expect(await redis.bus(queue).publish([createEvent('doorbell:1')], signal)).toMatchObject([
          { ok: true },
        ])
        await vi.waitFor(() => {
          expect(handler).toHaveBeenCalledOnce()
        })
        await consumer.stop()

        const limiter = redis.failureLimiter({ prefix: `${name}:failures`, failures: 1 })
        expect([await limiter.check('192.0.2.1'), await limiter.fail('192.0.2.1')]).toEqual([0, 0])
        expect(await limiter.check('192.0.2.1')).toBeGreaterThan(0)

        const others = redis.bus({ stream: `another-${name}` })
        expect(await others.publish([createEvent('doorbell:1')], signal)).toMatchObject([
          { ok: false, retryable: true },
        ])
      } finally {
        await redis.close()
        const log = (await admin.call('ACL', 'LOG')) as unknown[][]
        await admin.call('ACL', 'DELUSER', user)
        const refused = log
          .filter((entry) => entry.includes(user))
          .map((entry) => entry[entry.indexOf('object') + 1])
        // Since Redis 7.2, the client also sends CLIENT SETINFO, which the README does not allow.
        expect(refused.filter((what) => what !== 'client|setinfo')).toEqual([
          expect.stringContaining('another-'),
        ])
      }
    })
  })
})
