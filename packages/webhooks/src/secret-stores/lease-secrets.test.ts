import { describe, expect, it, vi } from 'vitest'
import { leaseSecrets } from './index.ts'

describe('a store that uses the whole timeout of the command', () => {
  it('is awaited', async () => {
    vi.useFakeTimers()
    try {
      const changes: string[] = []
      const renew = () =>
        new Promise<{ values: readonly string[] }>((resolve) => {
          setTimeout(resolve, 10_000, { values: ['s'] })
        })
      const leasing = leaseSecrets({
        nameOf: (provider) => provider,
        store: { renew },
        providers: ['doorbell'],
        onChange: (text) => changes.push(text),
      })
      await vi.advanceTimersByTimeAsync(10_000)
      const secrets = await leasing
      expect(secrets.getState('doorbell')).toBe('current')
      expect(changes).toEqual([])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a store that may have no secret of a provider', () => {
  it('is read with back-off up to a minute, until it returns a secret', async () => {
    vi.useFakeTimers({ now: 0 })
    try {
      const asked: number[] = []
      let values: readonly string[] = []
      const secrets = await leaseSecrets({
        nameOf: (provider) => provider,
        store: {
          renew: () => {
            asked.push(Date.now() / 1000)
            return values.length > 0 ? Promise.resolve({ values }) : Promise.reject(new Error('exit code 1'))
          },
        },
        providers: ['doorbell'],
        optional: ['doorbell'],
        optionalHint: 'List your providers',
      })
      await vi.advanceTimersByTimeAsync(250_000)
      expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
      expect(secrets.notices()).toEqual([
        'The secret of doorbell is unavailable: its deliveries are answered with 503. List your providers',
      ])
      values = ['s']
      await vi.advanceTimersByTimeAsync(60_000)
      expect([secrets.getState('doorbell'), secrets.notices()]).toEqual(['current', []])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a clock that is set back', () => {
  it('does not delay the next read of a store', async () => {
    // A provider was answered 503 for as long as the clock had been set back.
    vi.useFakeTimers({ now: 10_000_000 })
    try {
      let away = true
      const secrets = await leaseSecrets({
        nameOf: (provider) => provider,
        store: {
          renew: () => (away ? Promise.reject(new Error('away')) : Promise.resolve({ values: ['s'] })),
        },
        providers: ['doorbell', 'tasks'],
        optional: ['doorbell'],
        optionalHint: 'List your providers',
      })
      vi.setSystemTime(0)
      away = false
      await vi.advanceTimersByTimeAsync(5000)
      expect(['doorbell', 'tasks'].map((name) => secrets.getState(name))).toEqual(['current', 'current'])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})
