/** Median and quartiles of some values. */
export interface Spread {
  readonly median: number
  /** The first quartile. */
  readonly low: number
  /** The third quartile. */
  readonly high: number
}

/** @throws TypeError for an empty list */
export function computeSpread(values: readonly number[]): Spread {
  if (values.length === 0) throw new TypeError('An empty list has no median')
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}

/** Returns a quantile of some values. */
export const computeQuantile = (values: readonly number[], part: number): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    part,
  )

/** Interpolates a quantile linearly (type 7 of Hyndman and Fan, 1996). */
function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part
  const [below = 0, above = 0] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]]
  return below + (above - below) * (position - Math.floor(position))
}

/**
 * Computes the ratios of two sides per round, because a disturbance of the machine affects both sides of a round.
 *
 * @throws TypeError for an empty list
 */
export function computeRatio(values: readonly number[], base: readonly number[]): Spread {
  return computeSpread(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}
