import type { Result } from '../frame/result.ts'

interface Point {
  readonly size: number
  /** The size as the result shows it, such as `10 KB` or `1,000`. */
  readonly label: string
  /** The time of one operation, relative to that of the smallest size. */
  readonly cost: number
}

/** The cost of an operation as work grows. */
export interface Growth {
  readonly first: string
  readonly last: string
  /** The factor of the cost for ten times the size. */
  readonly slope: number
}

/** The benchmarks whose sides are sizes: what grows, the operation, and the id. */
export const growing: readonly (readonly [size: string, operation: string, id: string])[] = [
  ['kept deliveries', 'a delivery, SQLite', 'webhooks/kept-sqlite'],
  ['kept deliveries', 'a delivery, PostgreSQL', 'webhooks/kept-postgres'],
  ['kept deliveries', 'a list, SQLite', 'webhooks/list-deliveries-sqlite'],
  ['kept deliveries', 'a list, PostgreSQL', 'webhooks/list-deliveries-postgres'],
  ['endpoints', 'a delivery, SQLite', 'webhooks/endpoints-accept-sqlite'],
  ['endpoints', 'a delivery, PostgreSQL', 'webhooks/endpoints-accept-postgres'],
  ['registered providers', 'a delivery, memory', 'webhooks/providers'],
  ['size of the body', 'a delivery, memory', 'webhooks/sizes-memory'],
  ['size of the body', 'a delivery, SQLite', 'webhooks/sizes-sqlite'],
  ['connections', 'a delivery, memory', 'webhooks/connections-memory'],
  ['connections', 'a delivery, SQLite', 'webhooks/connections-sqlite'],
]

/**
 * Computes the growth from a result whose sides are sizes, such as `10 KB` or `1,000 endpoints`. Ignores variants of a
 * side, which have a comma and a space in their names.
 */
export function computeGrowth({ unit, base, sides }: Result): Growth {
  const sizes = sides.filter(({ name }) => !name.includes(', '))
  const baseValue = sides.find(({ name }) => name === base)?.value.median ?? 1
  const costs = sizes.map(({ name, value, ratio }) => {
    // A ratio compares turns of one round, so it is better than that of the medians, unless it has too few digits.
    const median = name === base ? 1 : (ratio?.median ?? 0)
    const relative = median >= 0.1 ? median : value.median / baseValue
    return { ...readSize(name), cost: unit.endsWith('/s') ? 1 / relative : relative }
  })
  const [first, last] = [costs[0]?.label ?? '', costs.at(-1)?.label ?? '']
  return { first, last, slope: fitSlope(costs) }
}

const bytes: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2 }

/** @throws TypeError for a name that does not start with a number */
function readSize(name: string): Pick<Point, 'size' | 'label'> {
  const [, amount, noun = ''] = /^([\d,]+) (\w+)$/.exec(name) ?? []
  if (amount === undefined) throw new TypeError(`"${name}" is not a size`)
  const factor = bytes[noun]
  return {
    size: Number(amount.replaceAll(',', '')) * (factor ?? 1),
    label: factor === undefined ? amount : name,
  }
}

/** Fits a line to the logarithms of sizes and costs by least squares, and returns its factor for ten times the size. */
function fitSlope(points: readonly Point[]): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const)
  const mean = (position: 0 | 1) => logs.reduce((sum, pair) => sum + pair[position], 0) / logs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const above = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const below = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return 10 ** (above / below)
}
