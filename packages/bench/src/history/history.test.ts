import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RatioKind } from '../frame/benchmark.ts'
import type { Outcome } from '../frame/run.ts'
import { findDrops, formatHistory, listRatios, parseHistory, type Run } from './history.ts'

const spread = (median: number) => ({ median, low: median, high: median })

function measure(
  ratio: number,
  { kind = 'speed', hasTarget = true }: { kind?: RatioKind; hasTarget?: boolean } = {},
) {
  const outcome: Outcome = {
    id: 'area/it',
    result: {
      name: 'it',
      what: 'Does it.',
      unit: 'operations/s',
      ratioKind: kind,
      base: 'plain',
      rounds: 3,
      sides: [
        { name: 'plain', does: 'Little.', value: spread(1) },
        { name: 'ours', does: 'More.', value: spread(ratio), ratio: spread(ratio) },
        { name: 'other', does: 'More.', value: spread(9), ratio: spread(9) },
      ],
      targets: hasTarget
        ? [
            { side: 'ours', atLeast: 0.1, reached: ratio, met: true },
            { side: 'ours', of: 'value', atMost: 100, reached: 90, met: true },
          ]
        : [],
    },
  }
  return [outcome, { id: 'area/broken', what: 'Breaks.', failure: 'Error' }]
}

const run = (ratio: number): Run => ({ date: '2026-01-31T12:00:00Z', commit: 'abc', ratios: { it: ratio } })

describe('the ratios of a run', () => {
  it('are those of the targets', () => {
    expect(listRatios(measure(0.8))).toEqual({ 'area/it: ours ÷ plain': 0.8 })
  })

  it('are those of all sides without targets', () => {
    const ratios = listRatios(measure(0.8, { hasTarget: false }))
    expect(ratios).toEqual({ 'area/it: ours ÷ plain': 0.8, 'area/it: other ÷ plain': 9 })
  })

  it.each(['time', 'value', 'p99'] as const)('are inverted for %s, which is better when lower', (kind) => {
    expect(listRatios(measure(2, { kind }))).toEqual({ 'area/it: ours ÷ plain': 0.5 })
  })
})

describe('a drop', () => {
  it.each([
    [0.86, 0],
    [0.84, 1],
    [1.5, 0],
  ])('is a ratio of more than 15 %% below the earlier ones: %s', (now, drops) => {
    expect(findDrops({ it: now }, [run(1)])).toHaveLength(drops)
  })

  it('is relative to the median of the last five runs', () => {
    const history = [9, 9, 9, 1, 0.1, 1, 1, 1].map(run)
    expect(findDrops({ it: 0.8 }, history)).toEqual([{ name: 'it', before: 1, now: 0.8 }])
  })

  it('needs an earlier run with the ratio', () => {
    expect(findDrops({ other: 0.1 }, [run(1)])).toEqual([])
  })
})

it('keeps the last 200 runs', () => {
  const history = Array.from({ length: 201 }, (_, index) => run(index))
  expect(parseHistory(formatHistory(history))).toEqual(history.slice(1))
})

describe('the check', () => {
  let directory: string
  beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'sallyport-history-'))))
  afterAll(() => rm(directory, { recursive: true }))

  it('appends each run to the history, and fails for a drop', async () => {
    const [results, history] = [join(directory, 'results.json'), join(directory, 'runs/history.jsonl')]
    const check = async (ratio: number) => {
      const date = '2026-01-31T12:00:00Z'
      await writeFile(results, JSON.stringify({ machine: { commit: 'abc' }, date, outcomes: measure(ratio) }))
      const script = fileURLToPath(new URL('./check.ts', import.meta.url))
      return promisify(execFile)(process.execPath, [script, results, history])
    }
    await check(1)
    await check(0.9)
    await expect(check(0.5)).rejects.toThrow('area/it: ours ÷ plain dropped from 0.95 to 0.50')
    const runs = parseHistory(await readFile(history, 'utf8'))
    expect(runs.map(({ ratios }) => Object.values(ratios))).toEqual([[1], [0.9], [0.5]])
  })
})
