import { expect, it } from 'vitest'
import { createSearch } from './search.ts'

const refusal = { code: 'OVERLOADED', status: 503, headers: { 'Retry-After': '1' } }
const never = new Promise<never>(() => undefined)

it('makes so many at once, the others in their order, and refuses past those that may wait', async () => {
  const { inTurn } = createSearch({ contains: 'like', atOnce: 2, maxWaiting: 2, patienceMs: 60_000 })
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
  const searches = ends.map(({ promise }, index) =>
    inTurn(async () => {
      begun.push(index)
      await promise
      return index
    }),
  )
  await expect(inTurn(() => Promise.resolve(begun.push(4)))).rejects.toMatchObject(refusal)
  expect(begun).toEqual([0, 1])
  ends[1]!.resolve(undefined)
  await searches[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve(undefined)
  expect(await Promise.all(searches)).toEqual([0, 1, 2, 3])
  expect(await inTurn(() => Promise.resolve(5))).toBe(5)
})

it('goes on after one that fails', async () => {
  const { inTurn } = createSearch({ contains: 'like', atOnce: 1 })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

it('never makes one that has waited for too long, and has its place for others', async () => {
  const { inTurn } = createSearch({ contains: 'like', atOnce: 1, maxWaiting: 1, patienceMs: 1 })
  const begun: number[] = []
  void inTurn(() => never)
  for (const search of [1, 2]) {
    await expect(inTurn(() => Promise.resolve(begun.push(search)))).rejects.toMatchObject(refusal)
  }
  expect(begun).toEqual([])
})
