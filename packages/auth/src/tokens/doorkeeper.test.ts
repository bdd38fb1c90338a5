import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDoorkeeper } from './doorkeeper.ts'

const texts = (count: number) =>
  Array.from({ length: count }, (_, one) => String((one * 2654435761) % 2 ** 32).padStart(10, '0'))

it('admits what comes a second time, and not before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.base64String({ minLength: 8 }), (max, text) => {
      const { admits } = createDoorkeeper(max)
      expect([admits(text), admits(text), admits(text)]).toEqual([false, true, true])
    }),
  )
})

it.each([1, 2, 10, 1000])(
  'admits all of %i that come in turn, which a table of last comers would not',
  (max) => {
    const { admits } = createDoorkeeper(max)
    const turn = texts(max)
    for (const text of turn) admits(text)
    expect(turn.every(admits)).toBe(true)
  },
)

it('admits few of those that never come again', () => {
  const { admits } = createDoorkeeper(1000)
  expect(texts(20_000).filter(admits).length).toBeLessThan(20_000 / 8)
})

it('begins anew once as many have come as the cache holds', () => {
  const { admits } = createDoorkeeper(100)
  admits('signature')
  for (const text of texts(200)) admits(text)
  expect(admits('signature')).toBe(false)
})

it('takes no more room for a cache without bounds, and begins anew as well', () => {
  const { admits } = createDoorkeeper(Number.MAX_SAFE_INTEGER)
  expect([admits('signature'), admits('signature')]).toEqual([false, true])
  for (const text of texts(700_000)) admits(text)
  expect(admits('signature')).toBe(false)
})
