import { unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { openNats } from './index.ts'
import { resolveTimes } from './options.ts'

// `maxAgeMs: NaN` created a stream without retention limit; other invalid numbers failed as retryable.
const negative = [-1, 1.5, Number.NaN, Infinity, '5' as never]
const none = [0, ...negative]
const noTimes = [...none, 2 ** 31]
const tooShortOrLong = [99, 9_223_372_036_855]

describe('openNats', () => {
  it.each(['connectTimeoutMs', 'retryMs', 'timeoutMs', 'closeTimeoutMs'])(
    'rejects a %s out of range',
    (name) => {
      for (const value of noTimes)
        expect(() => openNats({ url: 'nats://127.0.0.1', [name]: value })).toThrow(
          new TypeError(`${name} must be an integer from 1 to 2147483647`),
        )
    },
  )

  it.each([
    ['duplicateWindowMs', [...none, ...tooShortOrLong]],
    ['maxAgeMs', [...negative, ...tooShortOrLong]],
    ['replicas', [...none, 6]],
  ] as const)('rejects a bus whose %s is out of range', async (name, values) => {
    const nats = openNats({ url: `nats://127.0.0.1:${await unusedPort()}` })
    for (const value of values) {
      const make = () => nats.bus({ [name]: value })
      expect(make).toThrow(TypeError)
      expect(make).toThrow(new RegExp(`^${name} must be an integer `))
    }
    await nats.close()
  })

  // With an invalid prefix, `ping` resolved but every event became a dead letter.
  it.each(['', ' ', 'a b', 'a.', '.a', 'a..b', 'a.*', 'a.>', 'a\tb', 'a\n'])(
    'rejects the prefix %j',
    async (prefix) => {
      const nats = openNats({ url: `nats://127.0.0.1:${await unusedPort()}` })
      const make = () => nats.bus({ prefix })
      expect(make).toThrow(TypeError)
      expect(make).toThrow(/^prefix must be tokens /)
      for (const legal of ['a', 'acme.hooks', 'a-1._b', 'acme:hooks.é']) nats.bus({ prefix: legal })
      await nats.close()
    },
  )

  it('rejects a duplicate window that is longer than the retention of events', async () => {
    const nats = openNats({ url: `nats://127.0.0.1:${await unusedPort()}` })
    expect(() => nats.bus({ maxAgeMs: 3_600_000, duplicateWindowMs: 3_600_001 })).toThrow(
      new TypeError('duplicateWindowMs must not be longer than maxAgeMs: a stream forgets ids with events'),
    )
    nats.bus({ maxAgeMs: 3_600_000, duplicateWindowMs: 3_600_000 })
    nats.bus({ maxAgeMs: 0, duplicateWindowMs: 86_400_000 })
    await nats.close()
  })

  // The default window was rejected when only a shorter maxAgeMs was given.
  it.each([
    [{}, [7_200_000, 1_209_600_000]],
    [{ maxAgeMs: 3_600_000 }, [3_600_000, 3_600_000]],
    [{ maxAgeMs: 86_400_000 }, [7_200_000, 86_400_000]],
    [{ maxAgeMs: 0 }, [7_200_000, 0]],
    [{ duplicateWindowMs: 2_592_000_000 }, [2_592_000_000, 2_592_000_000]],
    [{ duplicateWindowMs: 60_000 }, [60_000, 1_209_600_000]],
  ])('derives the default of one time from the other: %j', (given, [duplicateWindowMs, maxAgeMs]) => {
    expect(resolveTimes(given)).toEqual({ duplicateWindowMs, maxAgeMs })
  })
})
