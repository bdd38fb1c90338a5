import type { Schemas } from '../api/client.ts'

export const outcomes = ['accepted', 'duplicate', 'ignored', 'quarantined', 'refused'] as const
type Outcome = (typeof outcomes)[number]

export type Statistics = Schemas['Statistics']

/** The requests of one interval. */
export interface Bar {
  readonly from: number
  readonly counts: Readonly<Record<Outcome, number>>
  readonly total: number
}

const maxBars = 90

/** Sums the series of the providers; neighbors are joined so that there are at most 90 bars. */
export function createBars(
  { series, from, interval_seconds: seconds }: Statistics,
  provider?: string,
): readonly Bar[] {
  const chosen = series.filter((one) => provider === undefined || one.provider === provider)
  const length = Math.max(0, ...series.map(({ counts }) => counts.length))
  const step = Math.max(1, Math.ceil(length / maxBars))
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => {
    const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
    for (const { outcome, counts: values } of chosen) {
      for (const value of values.slice(index * step, (index + 1) * step)) counts[outcome] += value
    }
    const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
    return { from: Date.parse(from) + index * step * seconds * 1000, counts, total }
  })
}

/** Rounds up to 1, 2 or 5 times a power of ten, for the end of an axis. */
export function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}
