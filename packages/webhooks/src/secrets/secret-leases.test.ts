import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SecretLease } from '../ports/ports.ts'
import { createSecretKeeper } from './secret-keeper.ts'

const hour = 3_600_000
const away = () => Promise.reject(new Error('away'))

/** Two clocks that tests move, and how often the source was asked. */
function keeperOf(lease: (asked: number, now: number) => SecretLease | Promise<SecretLease>) {
  const clock = { now: Date.UTC(2026, 0), ticks: 0 }
  const errors: string[] = []
  const source = { asked: 0, lease: () => lease(++source.asked, clock.now) }
  const keeper = createSecretKeeper(source, {
    now: () => clock.now,
    monotonicNow: () => clock.ticks,
    onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
  })
  return { keeper, clock, errors, source }
}

describe('a lease, when the clock is set back', () => {
  // Nobody asked again until the clock was where it had been: every delivery was a 503 meanwhile.
  it('is asked for again a second after it could not be had', async () => {
    const { keeper, clock, source } = keeperOf((asked) => (asked === 1 ? away() : { values: ['s'] }))
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ status: 503 })
    clock.now -= hour
    clock.ticks = 999
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ status: 503 })
    expect(source.asked).toBe(1)
    clock.ticks = 1000
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  // Nothing was renewed until the clock was where it had been: a secret that had leaked still verified.
  it('is renewed in time', async () => {
    const { keeper, clock, source } = keeperOf((asked, now) => ({
      values: [`s${asked}`],
      expiresAt: now + 60_000,
    }))
    await keeper.renew(['a'])
    clock.now -= 24 * hour
    clock.ticks = 47_999
    await keeper.renew(['a'])
    expect(source.asked).toBe(1)
    clock.ticks = 48_000
    await keeper.renew(['a'])
    expect(keeper.getSecrets('a')).toEqual(['s2'])
    clock.ticks += 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s3'])
  })
})

describe('a lease', () => {
  it('ends in time while the other clock stands still, as that of a machine that sleeps', async () => {
    const { keeper, clock } = keeperOf((asked, now) => ({ values: [`s${asked}`], expiresAt: now + 60_000 }))
    await keeper.renew(['a'])
    clock.now += 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s2'])
  })

  // The source was asked for every request, signed or not.
  it.each([0, -1, -hour])(
    'that ends %d ms after it began is none, and the source is left alone',
    async (ms) => {
      const { keeper, clock, errors, source } = keeperOf((asked, now) => ({
        values: [`s${asked}`],
        expiresAt: now + ms,
      }))
      for (const ticks of [0, 1, 999]) {
        clock.ticks = ticks
        await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
      }
      expect(source.asked).toBe(1)
      expect(errors).toEqual(['a: The lease for "a" has ended'])
      clock.ticks = 1000
      await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
      expect(source.asked).toBe(2)
    },
  )

  it('is none that ends while the source is still asked', async () => {
    const { keeper, clock } = keeperOf((_, now) => {
      clock.now += 2000
      return { values: ['s'], expiresAt: now + 2000 }
    })
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })

  it('that has ended leaves the last good values in use', async () => {
    const { keeper, clock } = keeperOf((asked, now) => ({
      values: [`s${asked}`],
      expiresAt: asked === 1 ? now + 60_000 : now - hour,
    }))
    await keeper.renew(['a'])
    clock.ticks = 60_000
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    expect(keeper.getState('a')).toBe('kept')
  })

  // The source was asked for every request, signed or not.
  it.each([NaN, 'tomorrow'])('with an end of %j is renewed a second later', async (expiresAt) => {
    const { keeper, clock, source } = keeperOf((asked) => ({
      values: [`s${asked}`],
      expiresAt: expiresAt as number,
    }))
    for (const ticks of [0, 1, 999]) {
      clock.ticks = ticks
      expect(await keeper.getSecrets('a')).toEqual(['s1'])
      await turn()
    }
    expect(source.asked).toBe(1)
    clock.ticks = 1000
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(keeper.getSecrets('a')).toEqual(['s2'])
  })
})
