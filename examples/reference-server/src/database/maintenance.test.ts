import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inBatches, startMaintenance, busRetentionMs, maxEventAge } from './maintenance.ts'
import { readConfig } from '../config/config.ts'
import { readSettings } from '../config/settings.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('runs all tasks every hour despite failures, until it is stopped', async () => {
  const done: string[] = []
  const errors: unknown[] = []
  const failing = () => Promise.reject(new Error('no database'))
  const working = () => Promise.resolve(done.push('worked'))
  const maintenance = startMaintenance([failing, working], (error) => errors.push(error))
  await vi.advanceTimersByTimeAsync(2.5 * 60 * 60 * 1000)
  expect([done.length, errors.length]).toEqual([2, 2])
  await maintenance.stop()
  await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1000)
  expect(done.length).toBe(2)
})

it('does nothing in an hour in which the clock was set', async () => {
  const hour = 60 * 60 * 1000
  let aheadMs = 0
  const work = vi.fn(() => Promise.resolve())
  const maintenance = startMaintenance(
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
  await maintenance.stop()
})

it('waits for the running task when it is stopped', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<undefined>()
  const maintenance = startMaintenance([() => promise], () => undefined)
  await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
  let ended = false
  const stopped = maintenance.stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toBe(false)
  finish(undefined)
  await stopped
})

it('runs batches until no work is left, or until the current batch when it is stopped', async () => {
  const portions = [true, true, false, true]
  const portion = () => Promise.resolve({ more: portions.shift() ?? false })
  await inBatches(portion)(new AbortController().signal)
  expect(portions).toEqual([true])

  const { promise, resolve: finish } = Promise.withResolvers<{ more: boolean }>()
  const waiting = vi.fn(() => promise)
  const never = vi.fn(() => Promise.resolve())
  const maintenance = startMaintenance([inBatches(waiting), never], () => undefined)
  await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
  const stopped = maintenance.stop()
  finish({ more: true })
  await stopped
  expect([waiting.mock.calls.length, never.mock.calls.length]).toEqual([1, 0])
})

const day = 24 * 60 * 60 * 1000

function problemsWith(environment: Record<string, string>): readonly string[] {
  // In production, no secrets are generated and no file is written.
  const result = readConfig({ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), ...environment }, [])
  return 'problems' in result ? result.problems : []
}

it('has the documented retention defaults', () => {
  const { settings } = readSettings({})
  expect([
    settings.RETENTION_DAYS,
    settings.BODY_RETENTION_DAYS,
    settings.BODY_MAX_BYTES,
    settings.DEDUPE_DAYS,
  ]).toEqual([14, 7, 10 * 1024 ** 3, 90])
  expect(maxEventAge(settings)).toEqual({})
  expect(busRetentionMs(settings)).toBe(16 * day)
  expect(readSettings({ BODY_MAX_BYTES: '2gb' }).settings.BODY_MAX_BYTES).toBe(2 * 1024 ** 3)
  expect(maxEventAge({ MAX_EVENT_AGE_DAYS: 30 })).toEqual({ maxEventAgeMs: 30 * day })
})

it('reports all invalid retention settings', () => {
  expect(problemsWith({ RETENTION_DAYS: '91' })).toEqual([expect.stringMatching(/^DEDUPE_DAYS has to be/)])
  expect(problemsWith({ RETENTION_DAYS: '90', BODY_RETENTION_DAYS: '0' })).toEqual([])
  expect(
    problemsWith({
      RETENTION_DAYS: '0',
      BODY_RETENTION_DAYS: 'x',
      MAX_EVENT_AGE_DAYS: '-1',
      DEDUPE_DAYS: '0',
    }),
  ).toHaveLength(4)
})
