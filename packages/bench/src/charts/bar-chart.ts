import { formatSvg, rectangle, text, type Color } from './svg.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  readonly color: Color
  /** The text after the bar. */
  readonly note: string
}

const width = 860
const left = 250
const right = 190
const top = 44
const rowHeight = 26

/** Draws bars from zero, the longest first. */
export function drawBarChart(title: string, bars: readonly Bar[]): string {
  const sorted = bars.toSorted((a, b) => b.value - a.value)
  const longest = sorted[0]?.value ?? 1
  const parts = sorted.flatMap(({ label, value, color, note }, index) => {
    const y = top + index * rowHeight
    const length = (value / longest) * (width - left - right)
    return [
      text(left - 10, y + 17, label, { anchor: 'end' }),
      rectangle(left, y + 4, Math.max(2, length), rowHeight - 8, color),
      text(left + length + 8, y + 17, note),
    ]
  })
  return formatSvg(width, top + sorted.length * rowHeight + 14, title, parts)
}
