import { describe, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

describe('a throttled function', () => {
  it('is called at once, and once for all calls within the interval', () => {
    vi.useFakeTimers()
    const called = vi.fn<(key: string) => void>()
    const { call, stop } = throttle(50, called)
    for (const key of ['a', 'a', 'b', 'a']) call(key)
    expect(called.mock.calls.flat()).toEqual(['a', 'b'])
    vi.advanceTimersByTime(50)
    expect(called.mock.calls.flat()).toEqual(['a', 'b', 'a'])
    call('a')
    stop()
    vi.advanceTimersByTime(500)
    expect(called).toHaveBeenCalledTimes(3)
    vi.useRealTimers()
  })
})
