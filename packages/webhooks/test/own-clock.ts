import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Has every test of a file run on a clock of its own, and leave no timer behind; answers what lets time pass. */
export function useOwnClock(): (milliseconds: number) => Promise<unknown> {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds)
}
