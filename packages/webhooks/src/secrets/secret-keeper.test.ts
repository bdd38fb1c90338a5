import { testSecretSource } from '@sallyport/testing'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { SecretLease } from '../ports/ports.ts'
import { createSecretKeeper, staticSecrets } from './secret-keeper.ts'

function keeperOf(lease: (asked: number) => SecretLease | Promise<SecretLease>) {
  const clock = { now: 0 }
  const errors: string[] = []
  const source = {
    asked: 0,
    lease: () => lease(++source.asked),
  }
  const keeper = createSecretKeeper(source, {
    now: () => clock.now,
    monotonicNow: () => 0,
    onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
  })
  return { keeper, clock, errors, source }
}

const away = () => Promise.reject(new Error('away'))

describe('createSecretKeeper', () => {
  // It once had no secret of any provider, for good.
  it.each([{ doorbell: ['s'] }, undefined])('takes no source that leases nothing: %j', (source) => {
    expect(() => createSecretKeeper(source as never)).toThrow(
      new TypeError('source.lease must be a function'),
    )
  })

  it('asks the source once, however many deliveries wait', async () => {
    const { keeper, source } = keeperOf((asked) => ({ values: [`s${asked}`] }))
    const answers = await Promise.all([keeper.getSecrets('a'), keeper.getSecrets('a'), keeper.renew(['a'])])
    expect(answers).toEqual([['s1'], ['s1'], undefined])
    expect(source.asked).toBe(1)
  })

  it('renews before the lease ends, without letting anybody wait', async () => {
    const { keeper, clock, source } = keeperOf((asked) => ({
      values: [`s${asked}`],
      expiresAt: clock.now + 1000,
    }))
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    clock.now = 799
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(source.asked).toBe(1)
    clock.now = 800
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(keeper.getSecrets('a')).toEqual(['s2'])
  })

  it('waits for the renewal of a lease that ended unnoticed', async () => {
    const { keeper, clock } = keeperOf((asked) => ({ values: [`s${asked}`], expiresAt: clock.now + 1000 }))
    await keeper.getSecrets('a')
    clock.now = 1000
    expect(await keeper.getSecrets('a')).toEqual(['s2'])
  })

  it('keeps the last good values while they cannot be renewed, and says so', async () => {
    const { keeper, clock, errors, source } = keeperOf((asked) =>
      asked === 2 || asked === 3 ? away() : { values: [`s${asked}`], expiresAt: clock.now + 1000 },
    )
    expect(keeper.getState('a')).toBe('missing')
    await keeper.renew(['a'])
    expect(keeper.getState('a')).toBe('current')
    clock.now = 5000
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    expect(keeper.getState('a')).toBe('kept')
    clock.now = 5999
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(source.asked).toBe(2)
    clock.now = 6000
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    clock.now = 7000
    await keeper.renew(['a'])
    expect(keeper.getSecrets('a')).toEqual(['s4'])
    expect(keeper.getState('a')).toBe('current')
    expect(errors).toEqual(['a: away', 'a: away'])
  })

  it('keeps them too when the source has none any more', async () => {
    const { keeper, clock } = keeperOf((asked) => ({
      values: asked === 1 ? ['s1'] : [''],
      expiresAt: clock.now + 1000,
    }))
    await keeper.renew(['a'])
    clock.now = 900
    await keeper.renew(['a'])
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    expect(keeper.getState('a')).toBe('kept')
  })

  it('asks again after a failure, but not for every stranger who knocks', async () => {
    const { keeper, clock, source } = keeperOf((asked) => {
      if (asked === 1) throw new Error('away')
      return asked === 2 ? away() : { values: ['s'] }
    })
    const refusal = { code: 'PROVIDER_UNAVAILABLE', status: 503 }
    for (const time of [0, 1, 999]) {
      clock.now = time
      await expect(keeper.getSecrets('a')).rejects.toMatchObject(refusal)
    }
    expect(source.asked).toBe(1)
    clock.now = 1000
    await expect(keeper.getSecrets('a')).rejects.toMatchObject(refusal)
    expect(source.asked).toBe(2)
    clock.now = 2000
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  it.each([[[null]], [[undefined]], [['']], [[7]], [null]])('takes %j for no secret', async (values) => {
    const { keeper } = keeperOf(() => ({ values: values as never }))
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })

  it('uses the texts of a lease that has others too', async () => {
    const { keeper } = keeperOf(() => ({ values: [null as never, 's', ''] }))
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  it('refuses a time-out that no timer can wait for', () => {
    for (const timeoutMs of [NaN, Infinity, 0]) {
      expect(() => createSecretKeeper({ lease: away }, { timeoutMs })).toThrow(/^timeoutMs must be/)
    }
  })

  it('waits as long as it is told for a source that is slow', async () => {
    vi.useFakeTimers()
    try {
      const slow = {
        lease: () => new Promise<SecretLease>((resolve) => setTimeout(resolve, 7000, { values: ['s'] })),
      }
      const patient = createSecretKeeper(slow, { timeoutMs: 8000 }).getSecrets('a')
      const impatient = expect(createSecretKeeper(slow).getSecrets('a')).rejects.toMatchObject({
        status: 503,
      })
      await vi.advanceTimersByTimeAsync(5000)
      await impatient
      await vi.advanceTimersByTimeAsync(2000)
      expect(await patient).toEqual(['s'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('survives a hook that throws', async () => {
    const hook = () => {
      throw new Error('of the hook')
    }
    const keeper = createSecretKeeper({ lease: away }, { onError: hook })
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })
})

describe('staticSecrets', () => {
  it('has no secret for a name that it was not given', () => {
    const source = staticSecrets({ a: ['s'], b: [] })
    expect(source.lease('a')).toEqual({ values: ['s'] })
    for (const name of ['b', 'c', 'toString', '__proto__']) expect(() => source.lease(name)).toThrow(name)
  })

  // A shared token of `null` once was the text "null".
  it.each([[[null]], [[undefined]], [['s', 7]], [null], [undefined]])(
    'refuses %j, which is not a string',
    (own) => {
      expect(() => staticSecrets({ gitlab: own as never })).toThrow(
        new TypeError('The secrets of gitlab must be strings'),
      )
    },
  )
})

describe('static secrets', () => {
  testSecretSource({ describe, expect, it }, { open: (secrets) => ({ source: staticSecrets(secrets) }) })
})
