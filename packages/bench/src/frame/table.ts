import type { Result, SideResult } from './result.ts'
import type { Spread } from './statistics.ts'

/** A result as a Markdown table, a side a row, which a terminal shows as well. */
export function tableOf({ unit, ratioOf, base, sides }: Result): string {
  const hasLatency = sides.some(({ latency }) => latency !== undefined)
  const head = [
    'Side',
    `${unit}/s, median`,
    'middle half',
    ...(hasLatency ? ['p50 ms', 'p99 ms'] : []),
    ratioOf === 'speed' ? `× ${base}` : `time ÷ ${base}`,
    'middle half',
  ]
  const rows = sides.map((side) => rowOf(side, hasLatency))
  return align([head, head.map((_, column) => (column === 0 ? '-' : '-:')), ...rows])
}

function rowOf({ name, perSecond, latency, ratio }: SideResult, hasLatency: boolean): string[] {
  return [
    name,
    amount(perSecond.median),
    `${amount(perSecond.low)} – ${amount(perSecond.high)}`,
    ...(hasLatency ? [latency?.p50, latency?.p99].map((ms) => (ms === undefined ? '' : ms.toFixed(1))) : []),
    ratio === undefined ? '1' : factor(ratio.median),
    ratio === undefined ? '' : `${factor(ratio.low)} – ${factor(ratio.high)}`,
  ]
}

/** The target, and whether it is met, in a line; undefined without one. */
export function verdictOf({ target, sides, base, ratioOf }: Result): string | undefined {
  if (target === undefined) return undefined
  const { side, atLeast, atMost, met } = target
  const bound = atLeast === undefined ? `≤ ${String(atMost)}` : `≥ ${atLeast}`
  const ratio: Spread | undefined = sides.find(({ name }) => name === side)?.ratio
  const reached = factor(ratio?.median ?? 1)
  const of = ratioOf === 'speed' ? `times the speed of ${base}` : `times the time of ${base}`
  return `Target: ${side} at ${bound} ${of}: ${met ? 'met' : 'missed'} (${reached})`
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const fraction = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

function amount(value: number): string {
  return value >= 100 ? whole.format(value) : fraction.format(value)
}

function factor(value: number): string {
  return value >= 10 ? amount(value) : value.toFixed(2)
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const pad = (cell: string, column: number, width: number) => {
    if (cell === '-') return '-'.repeat(width)
    if (cell === '-:') return `${'-'.repeat(width - 1)}:`
    return column === 0 ? cell.padEnd(width) : cell.padStart(width)
  }
  return rows
    .map((row) => `| ${row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}
