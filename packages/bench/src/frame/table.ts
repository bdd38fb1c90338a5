import type { RatioKind } from './benchmark.ts'
import type { Result, SideResult } from './result.ts'

/** Formats a result as a Markdown table with one row per side. */
export function formatTable({ unit, ratioKind, base, sides }: Result): string {
  const hasLatency = sides.some(({ latency }) => latency !== undefined)
  const further = Object.keys(sides[0]?.also ?? {})
  const head = [
    'Side',
    `${unit}, median`,
    'middle half',
    ...(hasLatency ? ['p50 ms', 'p99 ms'] : []),
    ...further,
    ratioHeads[ratioKind](base),
    'middle half',
  ]
  const rows = sides.map((side) => formatRow(side, hasLatency, further))
  return align([head, head.map((_, column) => (column === 0 ? '-' : '-:')), ...rows])
}

/** The headings of the ratios. */
export const ratioHeads: Readonly<Record<RatioKind, (base: string) => string>> = {
  speed: (base) => `× ${base}`,
  time: (base) => `time ÷ ${base}`,
  value: (base) => `÷ ${base}`,
  p99: (base) => `p99 ÷ ${base}`,
}

function formatRow(
  { name, value, latency, also, ratio }: SideResult,
  hasLatency: boolean,
  further: readonly string[],
): string[] {
  return [
    name,
    amount(value.median),
    `${amount(value.low)} – ${amount(value.high)}`,
    ...(hasLatency ? [latency?.p50, latency?.p99].map((ms) => (ms === undefined ? '' : ms.toFixed(1))) : []),
    ...further.map((head) => amount(also?.[head] ?? 0)),
    ratio === undefined ? '1' : factor(ratio.median),
    ratio === undefined ? '' : `${factor(ratio.low)} – ${factor(ratio.high)}`,
  ]
}

/** Formats the targets and whether they are met, one per line. */
export function formatVerdicts({ targets, base, ratioKind, unit }: Result): readonly string[] {
  return targets.map(({ side, than = base, of, atLeast, atMost, reached, met }) => {
    const bound = atLeast === undefined ? `≤ ${String(atMost)}` : `≥ ${atLeast}`
    const what = of === 'value' ? unit : `times the ${ratioKind} of ${than}`
    const shown = of === 'value' ? amount(reached) : factor(reached)
    return `Target: ${side} at ${bound} ${what}: ${met ? 'met' : 'missed'} (${shown})`
  })
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const fraction = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Formats a value with three digits, or without a fraction. */
export function amount(value: number): string {
  return value >= 100 ? whole.format(value) : fraction.format(value)
}

/** Formats a ratio with two decimals, or as an amount. */
export function factor(value: number): string {
  return value >= 10 ? amount(value) : value.toFixed(2)
}

/** Formats rows as a Markdown table. The second row has `-` for a column of text and `-:` for one of numbers. */
export function align(rows: readonly (readonly string[])[]): string {
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
