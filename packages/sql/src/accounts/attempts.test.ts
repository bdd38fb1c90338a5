import { SallyportError } from '@sallyport/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryRateLimit, type RateLimitResult } from '@sallyport/rest'
import { createAttempts } from './attempts.ts'

const create = (quota: number) => createAttempts(createMemoryRateLimit({ name: 'login', quota, window: 900 }))
const right = () => Promise.resolve({ valid: true })
const wrong = () => Promise.resolve({ valid: false })
const overloaded = () => Promise.reject(new SallyportError('OVERLOADED', 'Later'))

describe('attempts to log in', () => {
  it('are rejected after too many failures and show the remaining failures', async () => {
    const attempts = create(2)
    const left: number[] = []
    const show = ({ remaining }: RateLimitResult) => left.push(remaining)
    for (const attempt of [wrong, right, wrong]) await attempts.run('a', attempt, show)
    expect(left).toEqual([2, 1, 1, 1, 0])
    await expect(attempts.run('a', right, show)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '900' },
    })
    expect(left.at(-1)).toBe(0)
    expect(await attempts.run('b', right)).toEqual({ valid: true })
  })

  it('do not count as failures when the server is overloaded', async () => {
    const attempts = create(2)
    for (let attempt = 0; attempt < 20; attempt++)
      await expect(attempts.run('a', overloaded)).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(await attempts.run('a', right)).toEqual({ valid: true })
  })

  it('with the right password all succeed when they are concurrent', async () => {
    // Regression: attempts over the quota got 503.
    const attempts = create(2)
    let running = 0
    let most = 0
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        attempts.run('a', async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          return { valid: true }
        }),
      ),
    )
    expect(results).toHaveLength(20)
    expect(most).toBe(2)
  })

  it('with a wrong password are rejected over the quota when they are concurrent', async () => {
    const attempts = create(3)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => attempts.run('a', wrong)))
    const refusals = results.filter(({ status }) => status === 'rejected')
    expect(refusals).toHaveLength(17)
    for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { code: 'RATE_LIMITED' } })
  })

  it('wait in a bounded queue', async () => {
    const attempts = create(1)
    const gate = Promise.withResolvers<undefined>()
    const slow = () => gate.promise.then(right)
    const running = Array.from({ length: 101 }, () => attempts.run('a', slow))
    await expect(attempts.run('a', slow)).rejects.toMatchObject({
      code: 'OVERLOADED',
      headers: { 'Retry-After': '1' },
    })
    gate.resolve(undefined)
    expect(await Promise.all(running)).toHaveLength(101)
  })

  it('never exceed the quota of guesses under any concurrency', async () => {
    const step = fc.tuple(fc.constantFrom(right, wrong, overloaded), fc.nat(3))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const attempts = create(3)
        let guesses = 0
        await Promise.allSettled(
          steps.map(async ([outcome, delay]) => {
            for (let turn = 0; turn < delay; turn++) await Promise.resolve()
            await attempts.run('a', async () => {
              if (outcome === wrong) guesses += 1
              for (let turn = 0; turn < delay; turn++) await Promise.resolve()
              return outcome()
            })
          }),
        )
        expect(guesses).toBeLessThanOrEqual(3)
      }),
    )
  })
})
