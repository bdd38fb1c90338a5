import { expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const message = 'Too many at once; try again'
const refusal = { code: 'OVERLOADED', message, status: 503, headers: { 'Retry-After': '1' } }
const never = new Promise<never>(() => undefined)

it('limits running and waiting tasks and keeps their order', async () => {
  const run = createConcurrencyLimit({ maxRunning: 2, maxWaiting: 2, waitTimeoutMs: 60_000, message })
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
  const acts = ends.map(({ promise }, index) =>
    run(async () => {
      begun.push(index)
      await promise
      return index
    }),
  )
  await expect(run(() => Promise.resolve(begun.push(4)))).rejects.toMatchObject(refusal)
  expect(begun).toEqual([0, 1])
  ends[1]!.resolve(undefined)
  await acts[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve(undefined)
  expect(await Promise.all(acts)).toEqual([0, 1, 2, 3])
  expect(await run(() => Promise.resolve(5))).toBe(5)
})

it('runs the next task after a failure', async () => {
  const run = createConcurrencyLimit({ maxRunning: 1, maxWaiting: 1, message })
  const failing = run(() => Promise.reject(new Error('no')))
  const next = run(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

it('never runs a task that waited too long, and frees its slot in the queue', async () => {
  const run = createConcurrencyLimit({ maxRunning: 1, maxWaiting: 1, waitTimeoutMs: 1, message })
  const begun: number[] = []
  void run(() => never)
  for (const act of [1, 2]) {
    await expect(run(() => Promise.resolve(begun.push(act)))).rejects.toMatchObject(refusal)
  }
  expect(begun).toEqual([])
})
