import type { PageTable } from './page-tables.ts'

interface GrowthPoint {
  readonly size: number
  /** The size as the table shows it, without its noun. */
  readonly label: string
  /** The time of one operation, relative to that of the smallest size. */
  readonly cost: number
}

export interface GrowthLine {
  readonly label: string
  readonly points: readonly GrowthPoint[]
  /** The factor of the cost for ten times the size. */
  readonly slope: number
}

/** A chart with the tables that it draws. */
export interface GrowthChart {
  /** The name of the file, without an extension. */
  readonly file: string
  readonly title: string
  readonly axis: string
  readonly lines: readonly (readonly [label: string, id: string])[]
}

export const growthCharts: readonly GrowthChart[] = [
  {
    file: 'growth-kept',
    title: 'Cost as kept deliveries grow',
    axis: 'kept deliveries',
    lines: [
      ['accept, SQLite', 'webhooks/kept-sqlite'],
      ['accept, PostgreSQL', 'webhooks/kept-postgres'],
      ['list, SQLite', 'webhooks/list-deliveries-sqlite'],
      ['list, PostgreSQL', 'webhooks/list-deliveries-postgres'],
    ],
  },
  {
    file: 'growth-endpoints',
    title: 'Cost of a delivery as endpoints grow',
    axis: 'endpoints',
    lines: [
      ['SQLite', 'webhooks/endpoints-accept-sqlite'],
      ['PostgreSQL', 'webhooks/endpoints-accept-postgres'],
    ],
  },
  {
    file: 'growth-providers',
    title: 'Cost of a delivery as registered providers grow',
    axis: 'providers',
    lines: [['memory inbox', 'webhooks/providers']],
  },
  {
    file: 'growth-bodies',
    title: 'Cost of a delivery as bodies grow',
    axis: 'size of the body',
    lines: [
      ['memory inbox', 'webhooks/sizes-memory'],
      ['SQLite inbox', 'webhooks/sizes-sqlite'],
    ],
  },
  {
    file: 'growth-connections',
    title: 'Cost of a delivery as connections grow',
    axis: 'connections',
    lines: [
      ['memory inbox', 'webhooks/connections-memory'],
      ['SQLite inbox', 'webhooks/connections-sqlite'],
    ],
  },
]

/**
 * Reads a line from a table whose sides are sizes, such as `10 KB` or `1,000 endpoints`. Ignores variants of a side, which
 * have a comma and a space in their names.
 */
export function readGrowthLine(label: string, { unit, sides }: PageTable): GrowthLine {
  const isRate = unit.endsWith('/s')
  const sizes = sides.filter(({ name }) => !name.includes(', '))
  const base = sides.find(({ ratio }) => ratio === 1)?.value ?? 1
  const costs = sizes.map(({ name, value, ratio }) => {
    // A ratio compares turns of one round, so it is better than that of the medians, unless it has too few digits.
    const relative = ratio >= 0.1 ? ratio : value / base
    return { ...readSize(name), cost: isRate ? 1 / relative : relative }
  })
  const first = costs[0]?.cost ?? 1
  const points = costs.map((point) => ({ ...point, cost: point.cost / first }))
  return { label, points, slope: fitSlope(points) }
}

const bytes: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2 }

/** @throws TypeError for a name that does not start with a number */
function readSize(name: string): Pick<GrowthPoint, 'size' | 'label'> {
  const [, amount, noun = ''] = /^([\d,]+) (\w+)$/.exec(name) ?? []
  if (amount === undefined) throw new TypeError(`"${name}" is not a size`)
  const factor = bytes[noun]
  return {
    size: Number(amount.replaceAll(',', '')) * (factor ?? 1),
    label: factor === undefined ? amount : name,
  }
}

/** Fits a line to the logarithms of sizes and costs by least squares, and returns its factor for ten times the size. */
function fitSlope(points: readonly GrowthPoint[]): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const)
  const mean = (position: 0 | 1) => logs.reduce((sum, pair) => sum + pair[position], 0) / logs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const above = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const below = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return 10 ** (above / below)
}
