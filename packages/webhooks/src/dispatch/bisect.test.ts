import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect, createBisectPause } from './bisect.ts'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** The answered items of a batch whose bad items reject each part that contains them. */
async function halved(size: number, bad: readonly number[]) {
  const parts: number[] = []
  const answered: number[] = []
  await bisect(size, async (from, to) => {
    parts.push(to - from)
    if (bad.some((index) => index >= from && index < to)) return 'rejected'
    answered.push(...range(from, to))
    return 'answered'
  })
  return { parts, answered: answered.sort((a, b) => a - b) }
}

const without = (size: number, bad: readonly number[]) =>
  range(0, size).filter((index) => !bad.includes(index))

it('answers all good items at any position of a few bad ones', async () => {
  const batch = fc
    .integer({ min: 2, max: 128 })
    .chain((size) =>
      fc.record({ size: fc.constant(size), bad: fc.uniqueArray(fc.nat(size - 1), { maxLength: 4 }) }),
    )
  await fc.assert(
    fc.asyncProperty(batch, async ({ size, bad }) => {
      const { answered, parts } = await halved(size, bad)
      expect(answered).toEqual(without(size, bad))
      expect(parts.length).toBeLessThan(2 * size)
    }),
  )
})

describe('adjacent bad items', () => {
  it.each([
    ['2 of 4', 4, range(2, 4)],
    ['2 of 100', 100, range(98, 100)],
    ['3 of 100', 100, range(97, 100)],
    ['20 of 100', 100, range(80, 100)],
    ['half of them', 100, range(50, 100)],
    ['20 in front', 100, range(0, 20)],
    ['20 in the middle', 100, range(40, 60)],
    ['every other one', 100, range(0, 50).map((index) => 2 * index + 1)],
  ])('leave no good one without an answer: %s', async (_, size, bad) => {
    expect((await halved(size, bad)).answered).toEqual(without(size, bad))
  })

  it('leave good items answered while at most half are bad', async () => {
    for (const from of range(0, 51)) {
      const { answered } = await halved(100, range(from, from + 50))
      expect(answered.length).toBeGreaterThanOrEqual(25)
    }
  })
})

it.each([
  [2, [1, 1]],
  [4, [2, 1, 1, 2, 1, 1]],
  [100, [50, 25, 13, 7, 4, 2, 1, 1, 50, 25, 12, 6, 3, 2, 25, 25]],
])('limits the attempts at an unavailable destination for %d items', async (size, parts) => {
  expect((await halved(size, range(0, size))).parts).toEqual(parts)
})

/** A pause at its start, after four bisections without an answer. */
function paused() {
  let now = 0
  const pause = createBisectPause(() => {
    const startedAt = now
    return () => now - startedAt
  })
  const begins = (times: number) => Array.from({ length: times }, () => pause.begin())
  expect(begins(5)).toEqual([true, true, true, true, false])
  return { pause, begins, advance: (milliseconds: number) => (now += milliseconds) }
}

it('ends a pause after an answer', () => {
  const { pause, begins } = paused()
  pause.answered()
  expect(begins(5)).toEqual([true, true, true, true, false])
})

it('doubles the pause each time until an answer', () => {
  const { pause, begins, advance } = paused()
  advance(1000)
  expect(begins(2)).toEqual([true, false])
  advance(1999)
  expect(begins(1)).toEqual([false])
  advance(1)
  expect(begins(2)).toEqual([true, false])
  pause.answered()
  expect(begins(5)).toEqual([true, true, true, true, false])
  advance(999)
  expect(begins(1)).toEqual([false])
  advance(1)
  expect(begins(1)).toEqual([true])
})
