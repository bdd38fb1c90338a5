import { formatRatio, formatSvg, line, rectangle, text, type Color } from './svg.ts'

/** A comparison with its ratio; above 1, this repository is faster. */
export interface RatioRow {
  readonly label: string
  readonly ratio: number
  /** Why this repository is slower. */
  readonly why: string
}

const width = 860
const left = 330
const right = 40
const top = 62
const rowHeight = 22

/** Ratios between these limits are a draw. */
export const draw = { low: 0.95, high: 1.05 } as const

/** Draws ratios as bars from 1 on a logarithmic axis, the highest first. */
export function drawRatioChart(title: string, rows: readonly RatioRow[]): string {
  const sorted = rows.toSorted((a, b) => b.ratio - a.ratio)
  const lowest = Math.min(0.3, ...rows.map(({ ratio }) => ratio))
  const highest = Math.max(3, ...rows.map(({ ratio }) => ratio)) * 1.5
  const scale = (width - left - right) / Math.log(highest / lowest)
  const toX = (ratio: number) => left + Math.log(ratio / lowest) * scale
  const bottom = top + sorted.length * rowHeight
  const parts = [
    text(toX(1) + 6, top - 12, 'faster than the other side →', { kind: 'soft' }),
    text(toX(1) - 6, top - 12, '← slower', { anchor: 'end', kind: 'soft' }),
    ...sorted.flatMap(({ label, ratio, why }, index) => {
      const y = top + index * rowHeight
      const [from, to] = ratio < 1 ? [toX(ratio), toX(1)] : [toX(1), toX(ratio)]
      const note = ratio < draw.low && why !== '' ? `${formatRatio(ratio)}: ${why}` : formatRatio(ratio)
      return [
        text(left - 10, y + 15, label, { anchor: 'end' }),
        rectangle(from, y + 4, Math.max(2, to - from), rowHeight - 8, getColor(ratio)),
        text(Math.max(to, toX(1)) + 6, y + 15, note),
      ]
    }),
    line(toX(1), top - 4, toX(1), bottom + 4, 'ink'),
  ]
  return formatSvg(width, bottom + 16, title, parts)
}

function getColor(ratio: number): Color {
  if (ratio > draw.high) return 'lead'
  return ratio < draw.low ? 'trail' : 'other'
}
