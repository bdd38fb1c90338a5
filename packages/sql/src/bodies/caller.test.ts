import { expect, it } from 'vitest'
import { createCaller } from './caller.ts'

const hang = () => new Promise<never>(() => undefined)
const timeout = { name: 'TimeoutError' }

it('lets no call wait for a store that hangs, until a pause is over', async () => {
  const call = createCaller(50, 100)
  await expect(call(hang)).rejects.toMatchObject(timeout)
  let calls = 0
  const count = () => Promise.resolve(++calls)
  await expect(call(count)).rejects.toMatchObject(timeout)
  expect(calls).toBe(0)
  await expect.poll(() => call(count)).toBe(1)
})

it('aborts a call at the timeout', async () => {
  const signals: AbortSignal[] = []
  const waiting = createCaller(20)((signal) => {
    signals.push(signal)
    return hang()
  })
  await expect(waiting).rejects.toMatchObject(timeout)
  expect(signals[0]?.aborted).toBe(true)
})

it('goes on after an error', async () => {
  const call = createCaller(1000)
  await expect(call(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no')
  expect(await call(() => Promise.resolve(1))).toBe(1)
})
