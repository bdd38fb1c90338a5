import { unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { openRedis } from './index.ts'

// `eventBytes: NaN` made every event a dead letter, and a timer over 31 bits fired at once.
const none = [0, -1, 1.5, Number.NaN, Infinity, '5' as never]
const noTimes = [...none, 2 ** 31]

describe('openRedis', () => {
  it.each(['connectTimeoutMs', 'retryMs', 'timeoutMs', 'closeTimeoutMs'])(
    'rejects a %s out of range',
    (name) => {
      for (const value of noTimes)
        expect(() => openRedis({ url: 'redis://127.0.0.1', [name]: value })).toThrow(
          new TypeError(`${name} must be an integer from 1 to 2147483647`),
        )
    },
  )

  it.each([
    ['bus', 'duplicateWindowMs', none],
    ['bus', 'events', none],
    ['bus', 'eventBytes', none],
    ['failureLimiter', 'failures', none],
    ['failureLimiter', 'windowMs', [...none, 1500]],
  ] as const)('rejects a %s whose %s is out of range', async (what, name, values) => {
    const redis = openRedis({ url: `redis://127.0.0.1:${await unusedPort()}` })
    for (const value of values) {
      const make = () => redis[what]({ [name]: value })
      expect(make).toThrow(TypeError)
      expect(make).toThrow(new RegExp(`^${name} must be `))
    }
    await redis.close()
  })
})
