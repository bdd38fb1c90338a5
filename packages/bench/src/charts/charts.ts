import { drawBarChart, type Bar } from './bar-chart.ts'
import { comparisons } from './comparisons.ts'
import { growthCharts, readGrowthLine } from './growth.ts'
import { drawLineChart } from './line-chart.ts'
import { compareSpeeds, findSide, readPageTables, type PageTable } from './page-tables.ts'
import { draw, drawRatioChart, type RatioRow } from './ratio-chart.ts'
import { formatRatio } from './svg.ts'

/** The page with its chart sections, and the SVG files by their names. */
export interface Charts {
  readonly page: string
  readonly files: ReadonlyMap<string, string>
}

/** The folder of the charts, relative to the page. */
export const chartFolder = 'images/benchmarks'

/** The load average from which the figures are rough. */
const busy = 4

const headings = ['## At a glance', '## Cost as work grows']

/** Draws the charts from the tables of a page, and inserts their sections before the first section. */
export function addCharts(page: string): Charts {
  const tables = readPageTables(page)
  const files = new Map<string, string>()
  const show = (file: string, alternative: string, svg: string): string => {
    files.set(`${file}.svg`, svg)
    return `![${alternative}](${chartFolder}/${file}.svg)`
  }
  const sections = [formatGlance(tables, show), formatGrowth(tables, show)]
  const [opening = '', ...others] = page.split(/^(?=## )/m)
  const kept = others.filter((section) => !headings.some((heading) => section.startsWith(`${heading}\n`)))
  return { page: [opening, ...sections.map((section) => `${section.trim()}\n\n`), ...kept].join(''), files }
}

type Show = (file: string, alternative: string, svg: string) => string
type Tables = ReadonlyMap<string, PageTable>

function formatGlance(tables: Tables, show: Show): string {
  const rows = comparisons.flatMap(({ label, id, ours, than, why }): readonly RatioRow[] => {
    const table = tables.get(id)
    return table === undefined ? [] : [{ label, why, ratio: compareSpeeds(table, ours, than) }]
  })
  const count = (matches: (ratio: number) => boolean) => rows.filter(({ ratio }) => matches(ratio)).length
  const leads = count((ratio) => ratio > draw.high)
  const trails = count((ratio) => ratio < draw.low)
  const slower = rows.filter(({ ratio }) => ratio < draw.low).toSorted((a, b) => a.ratio - b.ratio)
  const sum = `Of ${rows.length} comparisons, this repository is faster in ${leads} and slower in ${trails}.`
  const durable = tables.get('webhooks/durable')
  return [
    headings[0],
    `${sum} Each bar is a ratio of speeds in one run; the name after the colon is the other side.`,
    show('overview', sum, drawRatioChart('Speed of this repository ÷ speed of the other side', rows)),
    'Where this repository is slower, and why:',
    slower.map(({ label, ratio, why }) => `- **${label}**, ${formatRatio(ratio)}: ${why}.`).join('\n'),
    ...(durable === undefined ? [] : formatDurable(durable, show)),
  ].join('\n\n')
}

/** Warns about tables that were measured while the machine had much other work. */
function formatLoad(tables: readonly PageTable[]): string {
  const highest = Math.max(0, ...tables.map(({ loadAverage = 0 }) => loadAverage))
  if (highest < busy) return ''
  return ` Other work kept the machine busy (load average ${highest.toFixed(1)}), so the figures are rough.`
}

function formatDurable(table: PageTable, show: Show): readonly string[] {
  const { sides } = table
  const floor = findSide(sides, 'floor')
  const bars = sides.map(({ name, value, ratio }): Bar => {
    const isOurs = /^(gateway|reference server),/.test(name)
    const amount = `${Math.round(value).toLocaleString('en')} deliveries/s`
    return {
      label: name,
      value,
      color: isOurs ? 'ours' : name === floor.name ? 'lead' : 'other',
      note: name === floor.name ? amount : `${amount}, ${formatRatio(ratio)} × floor`,
    }
  })
  const title = 'Durable receipt of 21 KB deliveries over 64 connections'
  return [
    `All servers of the next chart answer after the delivery is on the disk. The floor is a server that does only the unavoidable work.${formatLoad([table])}`,
    show('durable', title, drawBarChart(title, bars)),
  ]
}

function formatGrowth(tables: Tables, show: Show): string {
  const charts = growthCharts.flatMap(({ file, title, axis, lines }): readonly string[] => {
    const known = lines.flatMap(([label, id]) => {
      const table = tables.get(id)
      return table === undefined ? [] : [{ label, table }]
    })
    const drawn = known.map(({ label, table }) => readGrowthLine(label, table))
    if (drawn.length === 0) return []
    const slopes = drawn.map(({ label, slope }) => `${label} × ${slope.toFixed(2)}`).join(', ')
    const sum = `For ten times the size: ${slopes}.`
    return [
      `**${title}.** ${sum}${formatLoad(known.map(({ table }) => table))}`,
      show(file, `${title}. ${sum}`, drawLineChart(title, axis, drawn)),
    ]
  })
  return [
    headings[1],
    'A cost is the time of one operation relative to that of the smallest size. The slope is a fit by least squares on logarithmic axes: × 1.00 for ten times the size is a constant cost, × 10 a proportional one.',
    ...charts,
  ].join('\n\n')
}
