import { expect, it } from 'vitest'
import { createRowTurns } from './row-turns.ts'

const never = new Promise<never>(() => undefined)
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('lets one after the other change a row, in their order, and others change theirs meanwhile', async () => {
  const inTurn = createRowTurns(60_000)
  const begun: string[] = []
  const { promise, resolve: end } = Promise.withResolvers<undefined>()
  const first = inTurn('a', () => promise)
  const others = ['2', '3'].map((name) => inTurn('a', () => Promise.resolve(begun.push(name))))
  await inTurn('b', () => Promise.resolve(begun.push('b')))
  await settled()
  expect(begun).toEqual(['b'])
  end(undefined)
  await Promise.all([first, ...others])
  expect(begun).toEqual(['b', '2', '3'])
})

it('goes on after one that fails', async () => {
  const inTurn = createRowTurns(60_000)
  const error = new Error('no')
  const failing = inTurn('a', () => Promise.reject(error))
  const next = inTurn('a', () => Promise.resolve(1))
  await expect(failing).rejects.toBe(error)
  expect(await next).toBe(1)
})

it('gives up when that takes too long, and lets nobody past the one that is under way', async () => {
  const inTurn = createRowTurns(1)
  const begun: number[] = []
  void inTurn('a', () => never)
  for (const turn of [1, 2]) {
    await expect(inTurn('a', () => Promise.resolve(begun.push(turn)))).rejects.toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } },
    })
  }
  expect(begun).toEqual([])
})
