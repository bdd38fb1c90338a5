import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { never } from '../test/doorbell.ts'
import { withTimeout } from './timeout.ts'

const longest = 2 ** 31 - 1

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([2 ** 31, Infinity])(
  'waits no less than a timer can when it may take %d ms',
  async (milliseconds) => {
    // A timer ends a longer wait after a millisecond: whoever was most patient once had no patience at all.
    let ended = false
    const step = vi.fn<(signal: AbortSignal) => Promise<never>>(never)
    const waiting = expect(
      withTimeout(milliseconds, step).finally(() => (ended = true)),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await vi.advanceTimersByTimeAsync(longest - 1)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(step.mock.lastCall?.[0].aborted).toBe(true)
  },
)
