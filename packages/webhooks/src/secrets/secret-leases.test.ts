import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SecretLease } from '../ports/ports.ts'
import { createSecretKeeper } from './secret-keeper.ts'

const hour = 3_600_000
const unavailable = () => Promise.reject(new Error('unavailable'))

/** A keeper with two clocks, and the number of calls to its source. */
function openKeeper(lease: (calls: number, now: number) => SecretLease | Promise<SecretLease>) {
  const clock = { now: Date.UTC(2026, 0), ticks: 0 }
  const errors: string[] = []
  const source = { calls: 0, lease: () => lease(++source.calls, clock.now) }
  const keeper = createSecretKeeper(source, {
    now: () => clock.now,
    monotonicNow: () => clock.ticks,
    onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
  })
  return { keeper, clock, errors, source }
}

describe('lease after the clock is set back', () => {
  // Regression: the keeper did not retry until the clock had caught up.
  it('is requested again one second after a failure', async () => {
    const { keeper, clock, source } = openKeeper((calls) => (calls === 1 ? unavailable() : { values: ['s'] }))
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ status: 503 })
    clock.now -= hour
    clock.ticks = 999
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ status: 503 })
    expect(source.calls).toBe(1)
    clock.ticks = 1000
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  // Regression: a leaked secret stayed valid until the clock had caught up.
  it('is renewed by its age', async () => {
    const { keeper, clock, source } = openKeeper((calls, now) => ({
      values: [`s${calls}`],
      expiresAt: now + 60_000,
    }))
    await keeper.renew(['a'])
    clock.now -= 24 * hour
    clock.ticks = 47_999
    await keeper.renew(['a'])
    expect(source.calls).toBe(1)
    clock.ticks = 48_000
    await keeper.renew(['a'])
    expect(keeper.getSecrets('a')).toEqual(['s2'])
    clock.ticks += 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s3'])
  })
})

describe('lease', () => {
  it('ends by the wall clock when the monotonic clock stops during sleep', async () => {
    const { keeper, clock } = openKeeper((calls, now) => ({ values: [`s${calls}`], expiresAt: now + 60_000 }))
    await keeper.renew(['a'])
    clock.now += 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s2'])
  })

  // Regression: every request called the source.
  it.each([0, -1, -hour])(
    'is rejected when it ends after %d ms, and the retry waits one second',
    async (ms) => {
      const { keeper, clock, errors, source } = openKeeper((calls, now) => ({
        values: [`s${calls}`],
        expiresAt: now + ms,
      }))
      for (const ticks of [0, 1, 999]) {
        clock.ticks = ticks
        await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
      }
      expect(source.calls).toBe(1)
      expect(errors).toEqual(['a: The lease for "a" has ended'])
      clock.ticks = 1000
      await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
      expect(source.calls).toBe(2)
    },
  )

  it('is rejected when it ends before the source answers', async () => {
    const { keeper, clock } = openKeeper((_, now) => {
      clock.now += 2000
      return { values: ['s'], expiresAt: now + 2000 }
    })
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })

  it('keeps the last secrets when the next lease has already ended', async () => {
    const { keeper, clock } = openKeeper((calls, now) => ({
      values: [`s${calls}`],
      expiresAt: calls === 1 ? now + 60_000 : now - hour,
    }))
    await keeper.renew(['a'])
    clock.ticks = 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    expect(keeper.getState('a')).toBe('kept')
  })

  // Regression: every request called the source.
  it.each([NaN, 'tomorrow'])('is renewed after one second when its end is %j', async (expiresAt) => {
    const { keeper, clock, source } = openKeeper((calls) => ({
      values: [`s${calls}`],
      expiresAt: expiresAt as number,
    }))
    for (const ticks of [0, 1, 999]) {
      clock.ticks = ticks
      expect(await keeper.getSecrets('a')).toEqual(['s1'])
      await turn()
    }
    expect(source.calls).toBe(1)
    clock.ticks = 1000
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(keeper.getSecrets('a')).toEqual(['s2'])
  })
})
