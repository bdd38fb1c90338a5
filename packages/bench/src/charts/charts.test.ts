import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addCharts, chartFolder } from './charts.ts'
import { comparisons } from './comparisons.ts'
import { readGrowthLine } from './growth.ts'
import { compareSpeeds, readPageTables } from './page-tables.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const page = readFileSync(new URL('benchmarks.md', docs), 'utf8')

const table = (id: string, rows: string) => `## ${id}

| Side | requests/s, median | middle half | × a | middle half |
| ---- | -----------------: | ----------: | --: | ----------: |
${rows}

Target: b at ≥ 0.8 times the speed of c: met (0.81)
`

describe('the charts of docs/benchmarks.md', () => {
  const folder = new URL(`${chartFolder}/`, docs)

  it.each(readdirSync(folder))('%s agrees with the tables', (name) => {
    expect(addCharts(page).files.get(name), 'Run `npm run bench -- --charts`').toBe(
      readFileSync(new URL(name, folder), 'utf8'),
    )
  })

  it('has a reason for each comparison that is slower', () => {
    const tables = readPageTables(page)
    const unexplained = comparisons.filter(({ id, ours, than, why }) => {
      const known = tables.get(id)
      return known !== undefined && compareSpeeds(known, ours, than) < 0.95 && why === ''
    })
    expect(unexplained).toEqual([])
  })
})

it('reads medians, ratios and targets of a table', () => {
  const tables = readPageTables(
    table(
      'area/it',
      '| a | 1,000 | 9 – 11 | 1 | |\n| b | 500 | 9 – 11 | 0.51 | 0.4 – 0.6 |\n| c | 250 | 1 – 2 | 0.20 | |',
    ),
  )
  const read = tables.get('area/it')!
  expect(compareSpeeds(read, 'b', 'a')).toBe(0.51)
  expect(compareSpeeds(read, 'b', 'c')).toBe(0.81)
  expect(compareSpeeds(read, 'a', 'c')).toBe(4)
  expect(() => compareSpeeds(read, 'a', 'd')).toThrow('no side "d"')
})

it('computes the cost for ten times the size from rates', () => {
  const sides = [
    { name: '1 KB', value: 900, ratio: 1 },
    { name: '10 KB', value: 500, ratio: 0.5 },
    { name: '100 KB', value: 225, ratio: 0.25 },
    { name: '100 KB, first', value: 1, ratio: 0.1 },
  ]
  const { points, slope } = readGrowthLine('it', { unit: 'requests/s', sides, reached: [] })
  expect(slope).toBeCloseTo(2)
  expect(points.map(({ size, label, cost }) => [size, label, cost])).toEqual([
    [1024, '1 KB', 1],
    [10_240, '10 KB', 2],
    [102_400, '100 KB', 4],
  ])
})

it('computes a cost from medians where a ratio has too few digits', () => {
  const sides = [
    { name: '1 KB', value: 1000, ratio: 1 },
    { name: '10 MB', value: 2, ratio: 0 },
  ]
  expect(readGrowthLine('it', { unit: 'requests/s', sides, reached: [] }).points[1]?.cost).toBe(500)
})

it('replaces the sections of the charts in a page', () => {
  const once = addCharts(
    `# Results\n\n## Machine\n\nOne.\n\n${table('webhooks/providers', '| 1 provider | 10 | | 1 | |\n| 10 providers | 5 | | 0.5 | |')}`,
  )
  expect(once.page.match(/^## .*/gm)).toEqual([
    '## At a glance',
    '## Cost as work grows',
    '## Machine',
    '## webhooks/providers',
  ])
  expect(once.page).toContain('memory inbox × 2.00')
  expect(addCharts(once.page)).toEqual(once)
})

it('warns about a measurement on a busy machine', () => {
  const rows = '| 1 provider | 10 | | 1 | |\n| 10 providers | 5 | | 0.5 | |'
  const measure = (load: string) =>
    addCharts(
      table('webhooks/providers', rows).replace(
        '\n\n',
        `\n\nMeasured separately on 2026-01-31, at commit abc, on a CPU, at a load average of ${load}.\n\n`,
      ),
    ).page
  expect(measure('3.99')).not.toContain('busy')
  expect(measure('12.34')).toContain('busy (load average 12.3)')
})

it('draws a standalone SVG with a dark scheme', () => {
  const rows = '| 1 provider | 10 | | 1 | |\n| 10 providers | 5 | | 0.5 | |'
  const svg = addCharts(table('webhooks/providers', rows)).files.get('growth-providers.svg')!
  expect(svg).toContain('prefers-color-scheme:dark')
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true)
})
