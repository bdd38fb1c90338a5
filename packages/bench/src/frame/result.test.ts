import { describe, expect, it } from 'vitest'
import type { Sample, Target } from './benchmark.ts'
import { computeResult } from './result.ts'
import { formatTable, formatVerdicts } from './table.ts'

const speeds = (...values: number[]): Sample[] => values.map((value) => ({ value }))

function compare(ratio: 'speed' | 'time', target?: Omit<Target, 'side'>) {
  const sides = [
    { name: 'plain', does: 'Little.' },
    { name: 'ours', does: 'More.' },
  ]
  return computeResult(
    {
      name: 'it',
      what: 'Does it.',
      unit: 'operations/s',
      base: 'plain',
      ratio,
      sides,
      ...(target && { target: { side: 'ours', ...target } }),
    },
    [speeds(1000, 2000, 4000), speeds(500, 1000, 1000)],
  )
}

describe('a result', () => {
  it('divides speeds by the base', () => {
    const [base, ours] = compare('speed').sides
    expect(base).not.toHaveProperty('ratio')
    expect(ours?.ratio).toEqual({ median: 0.5, low: 0.375, high: 0.5 })
    expect(ours?.value).toEqual({ median: 1000, low: 750, high: 1000 })
  })

  it('divides times by the base with the ratio time', () => {
    expect(compare('time').sides[1]?.ratio).toEqual({ median: 2, low: 2, high: 3 })
  })

  it.each([
    ['speed', { atLeast: 0.5 }, true],
    ['speed', { atLeast: 0.51 }, false],
    ['time', { atMost: 2 }, true],
    ['time', { atMost: 1.2 }, false],
  ] as const)('compares the median of the %s with the target %o: %s', (ratio, target, met) => {
    expect(compare(ratio, target).targets.map((one) => one.met)).toEqual([met])
  })

  it('has medians of latencies', () => {
    const sample = (p50: number): Sample => ({ value: 1, latency: { p50, p99: 10 * p50 } })
    const { sides } = computeResult(
      {
        name: 'it',
        what: 'Does it.',
        unit: 'requests/s',
        base: 'a',
        sides: [
          { name: 'a', does: 'Little.' },
          { name: 'b', does: 'More.' },
        ],
      },
      [
        [sample(1), sample(9), sample(2)],
        [sample(3), sample(3), sample(3)],
      ],
    )
    expect(sides.map(({ latency }) => latency)).toEqual([
      { p50: 2, p99: 20 },
      { p50: 3, p99: 30 },
    ])
  })
})

describe('a result with further columns', () => {
  const sides = ['a', 'b', 'c'].map((name) => ({ name, does: 'Something.' }))
  const sample = (value: number, p99: number) => ({ value, latency: { p50: 1, p99 }, also: { 'CPU ms': 3 } })
  const result = computeResult(
    {
      name: 'it',
      what: 'Takes memory.',
      unit: 'MB',
      base: 'a',
      ratio: 'p99',
      sides,
      target: [
        { side: 'c', than: 'b', atMost: 2 },
        { side: 'b', of: 'value', atMost: 350 },
      ],
    },
    [[sample(100, 2)], [sample(400, 3)], [sample(300, 5)]],
  )

  it('checks targets for percentiles, for other sides and for values', () => {
    expect(result.sides.map(({ ratio }) => ratio?.median)).toEqual([undefined, 1.5, 2.5])
    expect(formatVerdicts(result)).toEqual([
      'Target: c at ≤ 2 times the p99 of b: met (1.67)',
      'Target: b at ≤ 350 MB: missed (400)',
    ])
  })

  it('shows further columns', () => {
    expect(formatTable(result).split('\n')[0]).toMatch(/MB, median .*p99 ms \| CPU ms \| p99 ÷ a/)
  })
})

describe('a table', () => {
  it('has one row per side and the ratio to the base', () => {
    const result = compare('speed', { atLeast: 0.8 })
    expect(formatTable(result)).toMatchInlineSnapshot(`
      "| Side  | operations/s, median |   middle half | × plain | middle half |
      | ----- | -------------------: | ------------: | ------: | ----------: |
      | plain |                2,000 | 1,500 – 3,000 |       1 |             |
      | ours  |                1,000 |   750 – 1,000 |    0.50 | 0.38 – 0.50 |"
    `)
    expect(formatVerdicts(result)).toEqual(['Target: ours at ≥ 0.8 times the speed of plain: missed (0.50)'])
  })

  it('names the ratio of times', () => {
    const result = compare('time', { atMost: 2.5 })
    expect(formatTable(result).split('\n')[0]).toContain('time ÷ plain')
    expect(formatVerdicts(result)).toEqual(['Target: ours at ≤ 2.5 times the time of plain: met (2.00)'])
  })
})
