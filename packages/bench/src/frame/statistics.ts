/** The middle of some values, and between what the middle half of them lies. */
export interface Spread {
  readonly median: number
  /** The first quartile: a quarter of the values is below it. */
  readonly low: number
  /** The third quartile: a quarter of the values is above it. */
  readonly high: number
}

/** @throws TypeError without values */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new TypeError('There is no median of nothing')
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}

/** Between two values, as far from each as the quantile is (type 7 of Hyndman and Fan, 1996). */
function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part
  const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}

/**
 * The ratio of two sides, from what both did in the same round: a machine that was busy for a while was busy for both.
 *
 * @throws TypeError without rounds
 */
export function ratioOf(values: readonly number[], base: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}
