import { expect, it } from 'vitest'
import { retryDelay } from './backoff.ts'

const hour = 3_600_000
const day = 24 * hour
const half = () => 0.5

/** How many attempts fail until it is given up, and how long that takes by a clock that is ahead by so much. */
function attemptsUntilGivenUp(aheadMs: number) {
  let waitedMs = 0
  for (let attempts = 0; ; attempts++) {
    const delay = retryDelay(attempts, waitedMs + aheadMs, half)
    if (delay === undefined) return { attempts: attempts + 1, waitedMs }
    waitedMs += delay
  }
}

it('gives up after a day', () => {
  const { attempts, waitedMs } = attemptsUntilGivenUp(0)
  expect(attempts).toBeGreaterThan(50)
  expect(waitedMs).toBeGreaterThan(day - hour)
  expect(waitedMs).toBeLessThanOrEqual(day)
})

// The first failure was once the last where a process was a day ahead of its database, or had stood still for one.
it('gives up no sooner than after 24 attempts by a clock that is ahead', () => {
  const { attempts, waitedMs } = attemptsUntilGivenUp(25 * hour)
  expect(attempts).toBe(24)
  expect(waitedMs).toBeGreaterThan(6 * hour)
})

it('gives up in time where the waits are short', () => {
  const backoff = { baseMs: 1, maximumMs: 10, giveUpAfterMs: 1000 }
  expect(retryDelay(0, 990, half, backoff)).toBe(0)
  expect(retryDelay(0, 1001, half, backoff)).toBeUndefined()
  expect(retryDelay(24 * 60, day + 1, half, { ...backoff, giveUpAfterMs: day })).toBeUndefined()
})

it('never gives up when told so', () => {
  expect(retryDelay(1e6, 1e15, half, { giveUpAfterMs: Infinity })).toBe(hour / 2)
})

// Without a wait, the thousandth attempt was followed by one that was no number, and the event was never settled.
it.each([1023, 1024, 1e6])('waits for nothing where it is told so: after %d attempts', (attempts) => {
  expect(retryDelay(attempts, 0, half, { baseMs: 0 })).toBe(0)
  expect(retryDelay(attempts, day + 1, half, { baseMs: 0 })).toBeUndefined()
})

// The first failure was once the last where a bus asked to be left alone for longer than was left.
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

it('gives up where its own wait is longer than what is left, whatever it is asked for', () => {
  expect(retryDelay(20, hour / 2 + 1, half, { giveUpAfterMs: hour }, 1)).toBeUndefined()
})
