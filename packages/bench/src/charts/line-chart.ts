import { formatSvg, line, polyline, rectangle, text, type Color } from './svg.ts'
import type { GrowthLine } from './growth.ts'

const width = 860
const height = 340
const left = 64
const right = 40
const colors: readonly Color[] = ['ours', 'trail', 'lead', 'third']

/** Draws costs relative to the smallest size on two logarithmic axes. A legend states each slope. */
export function drawLineChart(title: string, axis: string, lines: readonly GrowthLine[]): string {
  const points = lines.flatMap((one) => one.points)
  const sizes = [...new Map(points.map(({ size, label }) => [size, label]))].toSorted(([a], [b]) => a - b)
  const [first = 1, last = 10] = [sizes[0]?.[0], sizes.at(-1)?.[0]]
  const costs = points.map(({ cost }) => cost)
  // Flat lines look flat, because the axis has at least a factor of four.
  const [low, high] = [Math.min(0.5, ...costs), Math.max(2, ...costs)]
  const top = 52 + lines.length * 18
  const bottom = height - 46
  const toX = (size: number) =>
    left + (Math.log(size / first) / Math.log(last / first)) * (width - left - right)
  const toY = (cost: number) => bottom - (Math.log(cost / low) / Math.log(high / low)) * (bottom - top)
  return formatSvg(width, height, title, [
    ...lines.flatMap(({ label, slope }, index) => [
      rectangle(18, 40 + index * 18, 14, 8, colors[index % colors.length] ?? 'ours'),
      text(40, 48 + index * 18, `${label}: × ${slope.toFixed(2)} for ten times the size`),
    ]),
    ...listTicks(low, high).flatMap((cost) => [
      line(left, toY(cost), width - right, toY(cost), 'line'),
      text(left - 8, toY(cost) + 4, `× ${cost}`, { anchor: 'end', kind: 'soft' }),
    ]),
    ...sizes.map(([size, label]) => text(toX(size), bottom + 20, label, { anchor: 'middle', kind: 'soft' })),
    text(width - right, bottom + 38, axis, { anchor: 'end', kind: 'soft' }),
    ...lines.map((one, index) =>
      polyline(
        one.points.map(({ size, cost }) => [toX(size), toY(cost)] as const),
        colors[index % colors.length] ?? 'ours',
      ),
    ),
  ])
}

/** Returns 1, 2 and 5 times the powers of ten between two limits, or only the powers for a long axis. */
function listTicks(low: number, high: number): readonly number[] {
  const steps = high / low > 50 ? [1] : [1, 2, 5]
  const ticks: number[] = []
  for (let power = -3; power <= 4; power++) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(1))
      if (tick >= low && tick <= high) ticks.push(tick)
    }
  }
  return ticks
}
