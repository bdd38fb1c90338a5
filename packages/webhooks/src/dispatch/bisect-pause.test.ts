import { expect, it } from 'vitest'
import { bisectPause } from './bisect-pause.ts'

/** A pause that has just begun, after four tries without an answer. */
function paused() {
  let now = 0
  const pause = bisectPause(() => {
    const startedAt = now
    return () => now - startedAt
  })
  const begins = (times: number) => Array.from({ length: times }, () => pause.begin())
  expect(begins(5)).toEqual([true, true, true, true, false])
  return { pause, begins, advance: (milliseconds: number) => (now += milliseconds) }
}

it('ends a pause once something was answered, and tries as often at once again', () => {
  const { pause, begins } = paused()
  pause.answered()
  expect(begins(5)).toEqual([true, true, true, true, false])
})

it('pauses twice as long each time, and as long as at first once something was answered', () => {
  const { pause, begins, advance } = paused()
  advance(1000)
  expect(begins(2)).toEqual([true, false])
  advance(1999)
  expect(begins(1)).toEqual([false])
  advance(1)
  expect(begins(2)).toEqual([true, false])
  pause.answered()
  expect(begins(5)).toEqual([true, true, true, true, false])
  advance(999)
  expect(begins(1)).toEqual([false])
  advance(1)
  expect(begins(1)).toEqual([true])
})
