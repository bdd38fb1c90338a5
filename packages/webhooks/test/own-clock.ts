import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Runs each test of a file with fake timers and checks that no timer is left. Returns a function that advances the time. */
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
