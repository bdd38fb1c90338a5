import { expect, it } from 'vitest'
import { createPlaces } from './places.ts'

const message = 'Too many at once; try again'
const refusal = { code: 'OVERLOADED', message, status: 503, headers: { 'Retry-After': '1' } }
const never = new Promise<never>(() => undefined)

it('has so many at once, the others in their order, and refuses past those that may wait', async () => {
  const inTurn = createPlaces({ atOnce: 2, maxWaiting: 2, patienceMs: 60_000, message })
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
  const acts = ends.map(({ promise }, index) =>
    inTurn(async () => {
      begun.push(index)
      await promise
      return index
    }),
  )
  await expect(inTurn(() => Promise.resolve(begun.push(4)))).rejects.toMatchObject(refusal)
  expect(begun).toEqual([0, 1])
  ends[1]!.resolve(undefined)
  await acts[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve(undefined)
  expect(await Promise.all(acts)).toEqual([0, 1, 2, 3])
  expect(await inTurn(() => Promise.resolve(5))).toBe(5)
})

it('goes on after one that fails', async () => {
  const inTurn = createPlaces({ atOnce: 1, maxWaiting: 1, message })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

it('never lets one begin that has waited for too long, and has its place for others', async () => {
  const inTurn = createPlaces({ atOnce: 1, maxWaiting: 1, patienceMs: 1, message })
  const begun: number[] = []
  void inTurn(() => never)
  for (const act of [1, 2]) {
    await expect(inTurn(() => Promise.resolve(begun.push(act)))).rejects.toMatchObject(refusal)
  }
  expect(begun).toEqual([])
})
