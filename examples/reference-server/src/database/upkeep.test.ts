import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inPortions, startUpkeep } from './upkeep.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('does its work every hour, whatever fails, and not after its end', async () => {
  const done: string[] = []
  const errors: unknown[] = []
  const failing = () => Promise.reject(new Error('no database'))
  const working = () => Promise.resolve(done.push('worked'))
  const upkeep = startUpkeep([failing, working], (error) => errors.push(error))
  await vi.advanceTimersByTimeAsync(2.5 * 60 * 60 * 1000)
  expect([done.length, errors.length]).toEqual([2, 2])
  await upkeep.stop()
  await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1000)
  expect(done.length).toBe(2)
})

it('does nothing in an hour in which the clock was set', async () => {
  const hour = 60 * 60 * 1000
  let aheadMs = 0
  const work = vi.fn(() => Promise.resolve())
  const upkeep = startUpkeep(
    [work],
    () => undefined,
    () => Date.now() + aheadMs,
  )
  aheadMs = 100 * 24 * hour
  await vi.advanceTimersByTimeAsync(hour)
  aheadMs = 0
  await vi.advanceTimersByTimeAsync(hour)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(hour)
  expect(work).toHaveBeenCalledTimes(1)
  await upkeep.stop()
})

it('waits at its end for what is under way', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<undefined>()
  const upkeep = startUpkeep([() => promise], () => undefined)
  await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
  let ended = false
  const stopped = upkeep.stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toBe(false)
  finish(undefined)
  await stopped
})

it('goes on in portions until there is no more, and ends after the one that is under way', async () => {
  const portions = [true, true, false, true]
  const portion = () => Promise.resolve({ more: portions.shift() ?? false })
  await inPortions(portion)(new AbortController().signal)
  expect(portions).toEqual([true])

  const { promise, resolve: finish } = Promise.withResolvers<{ more: boolean }>()
  const waiting = vi.fn(() => promise)
  const never = vi.fn(() => Promise.resolve())
  const upkeep = startUpkeep([inPortions(waiting), never], () => undefined)
  await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
  const stopped = upkeep.stop()
  finish({ more: true })
  await stopped
  expect([waiting.mock.calls.length, never.mock.calls.length]).toEqual([1, 0])
})
