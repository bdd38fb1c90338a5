import { describeNeeding, unusedPort } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import { createEvent, readIds } from './fresh.ts'
import { findServer, startServer } from './server.ts'

const { signal } = new AbortController()
/** The lowest `proto-max-bulk-len` that Redis accepts. */
const eventBytes = 1024 * 1024

describeNeeding(
  { what: 'the command redis-server', find: findServer, hint: 'install redis-server' },
  (command) => {
    it('publishes events up to a lowered proto-max-bulk-len', async () => {
      const settings = ['--proto-max-bulk-len', '1mb']
      await using server = await startServer(command, await unusedPort(), settings)
      const redis = openRedis({ url: server.url, retryMs: 50 })
      const bus = redis.bus({ eventBytes })
      await expect.poll(() => bus.ping().then(() => 'ok', String), { interval: 100 }).toBe('ok')

      const events = [eventBytes - 1, eventBytes, eventBytes + 1].map((bytes) => {
        const create = (data: string) => createEvent(`doorbell:${bytes}`, { data })
        return create('x'.repeat(bytes - JSON.stringify(create('')).length))
      })
      const added = { ok: true, duplicate: false }
      const expected = [
        ...[added, added],
        {
          ...{ ok: false, retryable: false, tooLarge: true },
          error: expect.stringContaining(`${eventBytes} bytes`) as string,
        },
      ]
      expect(await bus.publish(events, signal)).toEqual(expected)
      expect(await readIds(server.url, 'sallyport')).toEqual(events.slice(0, 2).map(({ id }) => id))
      await redis.close()
    })
  },
)
