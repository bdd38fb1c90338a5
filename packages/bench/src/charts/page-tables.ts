/** A row of a table of the page. */
export interface PageSide {
  readonly name: string
  /** The median in the unit of the table. */
  readonly value: number
  /** The median ratio to the base of the table. */
  readonly ratio: number
}

/** The table of a benchmark in the page, and the ratios that its targets reached. */
export interface PageTable {
  readonly unit: string
  readonly sides: readonly PageSide[]
  readonly reached: readonly { readonly side: string; readonly than: string; readonly ratio: number }[]
  /** The load average before the measurement; only for a benchmark that was measured separately. */
  readonly loadAverage?: number
}

const parseNumber = (text = ''): number => Number(text.replaceAll(',', ''))

/** Reads the tables of the page of results by the ids of their benchmarks, so that charts and tables never differ. */
export function readPageTables(page: string): ReadonlyMap<string, PageTable> {
  const tables = new Map<string, PageTable>()
  for (const section of page.split(/^(?=## )/m)) {
    const [, id] = /^## ([a-z]+\/[a-z0-9-]+)\n/.exec(section) ?? []
    const [, unit] = /^\| Side +\| +(\S+), median/m.exec(section) ?? []
    if (id !== undefined && unit !== undefined) tables.set(id, readTable(section, unit))
  }
  return tables
}

function readTable(section: string, unit: string): PageTable {
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('| '))
  const sides = rows.map((row) => {
    // The last column is the spread of the ratio.
    const cells = row.slice(1, -1).split('|')
    return { name: cells[0]?.trim() ?? '', value: parseNumber(cells[1]), ratio: parseNumber(cells.at(-2)) }
  })
  const verdicts = section.matchAll(/^Target: (.+) at [≥≤] \S+ times the speed of (.+): \w+ \((.+)\)$/gm)
  const reached = [...verdicts].map(([, side = '', than = '', ratio]) => ({
    side,
    than,
    ratio: parseNumber(ratio),
  }))
  const [, load] = /^Measured separately .* at a load average of ([\d.]+)\.$/m.exec(section) ?? []
  return { unit, sides, reached, ...(load !== undefined && { loadAverage: Number(load) }) }
}

/**
 * Returns the ratio of the speeds of two sides: that of a target, the one of the table, or the ratio of the medians.
 *
 * @throws TypeError for an unknown side
 */
export function compareSpeeds({ sides, reached }: PageTable, name: string, than: string): number {
  const target = reached.find((candidate) => candidate.side === name && candidate.than === than)
  if (target !== undefined) return target.ratio
  const [side, other] = [findSide(sides, name), findSide(sides, than)]
  return other.ratio === 1 ? side.ratio : side.value / other.value
}

/** @throws TypeError for an unknown side */
export function findSide(sides: readonly PageSide[], name: string): PageSide {
  const side = sides.find((candidate) => candidate.name === name)
  if (side === undefined) throw new TypeError(`The table has no side "${name}"`)
  return side
}
