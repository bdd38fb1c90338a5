import { expect, it } from 'vitest'
import { createLastOutcome, toCode, type Judge } from './last-outcome.ts'

const judge: Judge<'ok' | undefined> = {
  resolved: (value) => value,
  rejected: (error) => ({ failure: toCode(error) }),
}

it('is failing from a failure to the next success', async () => {
  const last = createLastOutcome(1000, () => 0)
  expect(last.getFailure()).toBe(undefined)
  await expect(last.track(Promise.reject(new RangeError('full')), judge)).rejects.toThrow('full')
  expect(last.getFailure()).toBe('RangeError')
  await last.track(Promise.resolve(undefined), judge)
  expect(last.getFailure()).toBe('RangeError')
  expect(await last.track(Promise.resolve('ok' as const), judge)).toBe('ok')
  expect(last.getFailure()).toBe(undefined)
})

it('is failing no longer than the window', async () => {
  let now = 0
  const last = createLastOutcome(1000, () => now)
  await last.track(Promise.reject(new RangeError('full')), judge).catch(() => undefined)
  now = 1000
  expect(last.getFailure()).toBe('RangeError')
  now = 1001
  expect(last.getFailure()).toBe(undefined)
})
