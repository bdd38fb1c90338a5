import { describe, expect, it } from 'vitest'
import type { Result, SideResult } from '../frame/result.ts'
import { readResults, type StoredResult } from '../results/results.ts'
import { comparisons, compareSpeeds, isSlower } from './comparisons.ts'
import { computeGrowth } from './growth.ts'
import { formatPage } from './page.ts'
import { listTables } from './tables.ts'

const spread = (median: number) => ({ median, low: median, high: median })

const side = (name: string, value: number, ratio?: number): SideResult => ({
  name,
  does: 'Works.',
  value: spread(value),
  ...(ratio !== undefined && { ratio: spread(ratio) }),
})

const measure = (base: string, ...sides: SideResult[]): Result => ({
  ...{ name: 'it', what: 'Does it.', unit: 'requests/s', ratioKind: 'speed', rounds: 3, targets: [] },
  ...{ base, sides },
})

const stored = await readResults()

describe('the page of the stored results', () => {
  it('has a reason for each comparison that is slower', () => {
    const unexplained = comparisons.filter(({ id, ours, than, why }) => {
      const found = stored.find((one) => one.id === id)
      return found !== undefined && isSlower(compareSpeeds(found.result, ours, than)) && why === ''
    })
    expect(unexplained).toEqual([])
  })

  it('lists the targets that are missed', () => {
    const targets = [
      { side: 'b', atLeast: 0.8, reached: 0.5, met: false },
      { side: 'b', than: 'c', atLeast: 1, reached: 2, met: true },
    ]
    const result = { ...measure('a', side('a', 10), side('b', 5, 0.5), side('c', 2, 0.2)), targets }
    const page = formatPage([{ ...(stored[0] as StoredResult), id: 'area/it', result }, ...stored])
    expect(page).toContain('- area/it: b at ≥ 0.8 times the speed of a: missed (0.50)')
    expect(page).not.toContain('times the speed of c: met')
  })
})

describe('a comparison of speeds', () => {
  const result = measure('a', side('a', 1000), side('b', 500, 0.51), side('c', 250, 0.2))

  it('is the ratio of the rounds where the other side is the base', () => {
    expect(compareSpeeds(result, 'b', 'a')).toBe(0.51)
  })

  it('is the ratio of a target with both sides', () => {
    const targets = [{ side: 'b', than: 'c', atLeast: 1, reached: 2.1, met: true }]
    expect(compareSpeeds({ ...result, targets }, 'b', 'c')).toBe(2.1)
  })

  it('is the ratio of the medians without either', () => {
    expect(compareSpeeds(result, 'a', 'c')).toBe(4)
  })

  it('rejects an unknown side', () => {
    expect(() => compareSpeeds(result, 'a', 'd')).toThrow('no side "d"')
  })
})

describe('the growth', () => {
  it('is the factor of the cost for ten times the size', () => {
    const sides = [side('1 KB', 900), side('10 KB', 500, 0.5), side('100 KB', 225, 0.25)]
    const growth = computeGrowth(measure('1 KB', ...sides, side('100 KB, first', 1, 0.1)))
    expect(growth).toEqual({ first: '1 KB', last: '100 KB', slope: expect.closeTo(2) as number })
  })

  it('comes from the medians where a ratio has too few digits', () => {
    const growth = computeGrowth(measure('1 KB', side('1 KB', 1000), side('10 KB', 10, 0)))
    expect(growth.slope).toBeCloseTo(100)
  })
})

it('rejects a table of a benchmark without a result', () => {
  expect(() => listTables([])).toThrow('no stored result of engines/publish-nats')
})
