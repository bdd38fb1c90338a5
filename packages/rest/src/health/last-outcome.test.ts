import { expect, it } from 'vitest'
import { createLastOutcome, type Judge } from './last-outcome.ts'

const judge: Judge<'ok' | 'failed' | undefined> = {
  resolved: (value) => value,
  rejected: () => 'failed',
}

it('is failing from a failure to the next success', async () => {
  const last = createLastOutcome(1000, () => 0)
  expect(last.isFailing()).toBe(false)
  await expect(last.track(Promise.reject(new Error('full')), judge)).rejects.toThrow('full')
  expect(last.isFailing()).toBe(true)
  await last.track(Promise.resolve(undefined), judge)
  expect(last.isFailing()).toBe(true)
  expect(await last.track(Promise.resolve('ok' as const), judge)).toBe('ok')
  expect(last.isFailing()).toBe(false)
})

it('is failing no longer than the window', async () => {
  let now = 0
  const last = createLastOutcome(1000, () => now)
  await last.track(Promise.resolve('failed' as const), judge)
  now = 1000
  expect(last.isFailing()).toBe(true)
  now = 1001
  expect(last.isFailing()).toBe(false)
})
