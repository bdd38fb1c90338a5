import { testSecretSource } from '@sallyport/testing'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { SecretLease } from '../ports/ports.ts'
import { createSecretKeeper, staticSecrets } from './secret-keeper.ts'

function openKeeper(lease: (calls: number) => SecretLease | Promise<SecretLease>) {
  const clock = { now: 0 }
  const errors: string[] = []
  const source = {
    calls: 0,
    lease: () => lease(++source.calls),
  }
  const keeper = createSecretKeeper(source, {
    now: () => clock.now,
    monotonicNow: () => 0,
    onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
  })
  return { keeper, clock, errors, source }
}

const unavailable = () => Promise.reject(new Error('unavailable'))

describe('createSecretKeeper', () => {
  // Regression: the keeper had no secret of any provider.
  it.each([{ doorbell: ['s'] }, undefined])('rejects a source without `lease`: %j', (source) => {
    expect(() => createSecretKeeper(source as never)).toThrow(
      new TypeError('source.lease must be a function'),
    )
  })

  it('shares one lease between parallel calls', async () => {
    const { keeper, source } = openKeeper((calls) => ({ values: [`s${calls}`] }))
    const answers = await Promise.all([keeper.getSecrets('a'), keeper.getSecrets('a'), keeper.renew(['a'])])
    expect(answers).toEqual([['s1'], ['s1'], undefined])
    expect(source.calls).toBe(1)
  })

  it('leases again on request, at most once a second', async () => {
    let age = 0
    const lease = vi.fn(() => ({ values: [`s${lease.mock.calls.length}`] }))
    const keeper = createSecretKeeper({ lease }, { monotonicNow: () => age })
    expect(await keeper.refresh('a')).toEqual(['s1'])
    age = 999
    expect(await keeper.refresh('a')).toEqual(['s1'])
    age = 1000
    expect(await Promise.all([keeper.refresh('a'), keeper.refresh('a')])).toEqual([['s2'], ['s2']])
    lease.mockImplementation(() => {
      throw new Error('unavailable')
    })
    age = 2000
    expect(await keeper.refresh('a')).toEqual(['s2'])
  })

  it('renews in the background before the lease ends', async () => {
    const { keeper, clock, source } = openKeeper((calls) => ({
      values: [`s${calls}`],
      expiresAt: clock.now + 1000,
    }))
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    clock.now = 799
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(source.calls).toBe(1)
    clock.now = 800
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    expect(keeper.getSecrets('a')).toEqual(['s2'])
  })

  it('waits for the renewal after the lease has ended', async () => {
    const { keeper, clock } = openKeeper((calls) => ({ values: [`s${calls}`], expiresAt: clock.now + 1000 }))
    await keeper.getSecrets('a')
    clock.now = 1000
    expect(await keeper.getSecrets('a')).toEqual(['s2'])
  })

  it('keeps the last secrets and reports `kept` after a failed renewal', async () => {
    const { keeper, clock, errors, source } = openKeeper((calls) =>
      calls === 2 || calls === 3 ? unavailable() : { values: [`s${calls}`], expiresAt: clock.now + 1000 },
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
    expect(source.calls).toBe(2)
    clock.now = 6000
    expect(keeper.getSecrets('a')).toEqual(['s1'])
    await turn()
    clock.now = 7000
    await keeper.renew(['a'])
    expect(keeper.getSecrets('a')).toEqual(['s4'])
    expect(keeper.getState('a')).toBe('current')
    expect(errors).toEqual(['a: unavailable', 'a: unavailable'])
  })

  it('keeps the last secrets when the source returns none', async () => {
    const { keeper, clock } = openKeeper((calls) => ({
      values: calls === 1 ? ['s1'] : [''],
      expiresAt: clock.now + 1000,
    }))
    await keeper.renew(['a'])
    clock.now = 900
    await keeper.renew(['a'])
    expect(await keeper.getSecrets('a')).toEqual(['s1'])
    expect(keeper.getState('a')).toBe('kept')
  })

  it('retries after one second, not for each request', async () => {
    const { keeper, clock, source } = openKeeper((calls) => {
      if (calls === 1) throw new Error('unavailable')
      return calls === 2 ? unavailable() : { values: ['s'] }
    })
    const refusal = { code: 'PROVIDER_UNAVAILABLE', status: 503 }
    for (const time of [0, 1, 999]) {
      clock.now = time
      await expect(keeper.getSecrets('a')).rejects.toMatchObject(refusal)
    }
    expect(source.calls).toBe(1)
    clock.now = 1000
    await expect(keeper.getSecrets('a')).rejects.toMatchObject(refusal)
    expect(source.calls).toBe(2)
    clock.now = 2000
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  it.each([[[null]], [[undefined]], [['']], [[7]], [null]])(
    'rejects a lease with the values %j',
    async (values) => {
      const { keeper } = openKeeper(() => ({ values: values as never }))
      await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    },
  )

  it('ignores values of a lease that are not strings', async () => {
    const { keeper } = openKeeper(() => ({ values: [null as never, 's', ''] }))
    expect(await keeper.getSecrets('a')).toEqual(['s'])
  })

  it('rejects an invalid timeout', () => {
    for (const timeoutMs of [NaN, Infinity, 0]) {
      expect(() => createSecretKeeper({ lease: unavailable }, { timeoutMs })).toThrow(/^timeoutMs must be/)
    }
  })

  it('waits for a slow source until the timeout', async () => {
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

  it('ignores an error of `onError`', async () => {
    const hook = () => {
      throw new Error('the hook failed')
    }
    const keeper = createSecretKeeper({ lease: unavailable }, { onError: hook })
    await expect(keeper.getSecrets('a')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })
})

describe('staticSecrets', () => {
  it('has no secret for an unknown name', () => {
    const source = staticSecrets({ a: ['s'], b: [] })
    expect(source.lease('a')).toEqual({ values: ['s'] })
    for (const name of ['b', 'c', 'toString', '__proto__']) expect(() => source.lease(name)).toThrow(name)
  })

  // Regression: the secret null was the string "null".
  it.each([[[null]], [[undefined]], [['s', 7]], [null], [undefined], [[' ']], ['\n']])(
    'rejects %j',
    (own) => {
      expect(() => staticSecrets({ gitlab: own as never })).toThrow(
        new TypeError('The secrets of gitlab must be strings with more than white space'),
      )
    },
  )
})

describe('static secrets', () => {
  testSecretSource({ describe, expect, it }, { open: (secrets) => ({ source: staticSecrets(secrets) }) })
})
