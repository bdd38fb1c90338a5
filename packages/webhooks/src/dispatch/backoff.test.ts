import { expect, it } from 'vitest'
import { retryDelay } from './backoff.ts'

const hour = 3_600_000
const day = 24 * hour
const half = () => 0.5

/** The number of attempts until the end of the retries, and their duration, with a clock that is ahead. */
function attemptsUntilGivenUp(aheadMs: number) {
  let waitedMs = 0
  for (let attempts = 0; ; attempts++) {
    const delay = retryDelay(attempts, waitedMs + aheadMs, half)
    if (delay === undefined) return { attempts: attempts + 1, waitedMs }
    waitedMs += delay
  }
}

it('ends after a day', () => {
  const { attempts, waitedMs } = attemptsUntilGivenUp(0)
  expect(attempts).toBeGreaterThan(50)
  expect(waitedMs).toBeGreaterThan(day - hour)
  expect(waitedMs).toBeLessThanOrEqual(day)
})

it('allows 24 attempts with a clock that is ahead', () => {
  const { attempts, waitedMs } = attemptsUntilGivenUp(25 * hour)
  expect(attempts).toBe(24)
  expect(waitedMs).toBeGreaterThan(6 * hour)
})

it('ends in time with short delays', () => {
  const backoff = { baseMs: 1, maximumMs: 10, giveUpAfterMs: 1000 }
  expect(retryDelay(0, 990, half, backoff)).toBe(0)
  expect(retryDelay(0, 1001, half, backoff)).toBeUndefined()
  expect(retryDelay(24 * 60, day + 1, half, { ...backoff, giveUpAfterMs: day })).toBeUndefined()
})

it('never ends with giveUpAfterMs Infinity', () => {
  expect(retryDelay(1e6, 1e15, half, { giveUpAfterMs: Infinity })).toBe(hour / 2)
})

it.each([1023, 1024, 1e6])('does not wait with a base of 0 after %d attempts', (attempts) => {
  expect(retryDelay(attempts, 0, half, { baseMs: 0 })).toBe(0)
  expect(retryDelay(attempts, day + 1, half, { baseMs: 0 })).toBeUndefined()
})

it.each([hour, 1e15, Infinity])(
  'tries once more at the end where it is asked to wait for longer: %d',
  (leastMs) => {
    const backoff = { giveUpAfterMs: hour }
    expect(retryDelay(0, 5, half, backoff, leastMs)).toBe(hour - 5)
    expect(retryDelay(1, hour - 0.5, () => 0, backoff, leastMs)).toBe(0)
    expect(retryDelay(1, hour + 1, () => 0, backoff, leastMs)).toBeUndefined()
    // As far as the longest wait, where there is time for it.
    expect(retryDelay(0, 5, half, { maximumMs: 60_000, giveUpAfterMs: hour }, leastMs)).toBe(60_000)
  },
)

it('ends when the back-off exceeds the remaining time', () => {
  expect(retryDelay(20, hour / 2 + 1, half, { giveUpAfterMs: hour }, 1)).toBeUndefined()
})
