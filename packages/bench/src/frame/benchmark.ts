/** What a side did in one round. */
export interface Sample {
  /** How much, in the unit of the benchmark. */
  readonly value: number
  /** Percentiles of the time until the answer, in milliseconds; of load over HTTP alone. */
  readonly latency?: { readonly p50: number; readonly p99: number }
  /** Further figures by the heads of their columns, such as `CPU ms each`; every side has the same. */
  readonly also?: Readonly<Record<string, number>>
}

/** One of those who are compared. */
export interface Side {
  readonly name: string
  /** What it does and what it does not do, in words that a reader can object to. */
  readonly does: string
}

/** A promise about one side. */
export interface Target {
  readonly side: string
  /** Whom its ratio is to. @default the base */
  readonly than?: string
  /** Whether the ratio is bounded, or the value itself. @default 'ratio' */
  readonly of?: 'ratio' | 'value'
  readonly atLeast?: number
  readonly atMost?: number
}

/**
 * What is divided by what: `speed` and `value` the side's value by the base's, `time` the base's speed by the side's,
 * `p99` the side's 99th percentile by the base's. Of speeds more is better, of the others usually less.
 */
export type RatioOf = 'speed' | 'time' | 'value' | 'p99'

/** What a value is counted in. */
export type Unit = 'operations/s' | 'requests/s' | 'deliveries/s' | 'events/s' | 'ms' | 'MB'

/** What every kind of benchmark declares. */
export interface Declaration<Side> {
  /** Unique; the part after the area, such as `list-query` of `rest/list-query`. */
  readonly name: string
  /** What is measured, in a sentence or two. */
  readonly what: string
  /** At least two; the table has them in this order. */
  readonly sides: readonly Side[]
  /** The side that the others are compared with. */
  readonly base: string
  /** @default 'speed' */
  readonly ratio?: RatioOf
  readonly target?: Target | readonly Target[]
}

/** How long to measure. */
export interface Effort {
  /** Rounds in which each side has one turn. @default what its kind needs for a steady median */
  readonly rounds?: number
  /** How long a turn lasts, in milliseconds. @default what its kind needs */
  readonly turnMs?: number
}

/** A benchmark of any kind; `defineMicro`, `defineHttp` and `defineTrial` make them. */
export interface Benchmark extends Declaration<Side> {
  readonly unit: Unit
  /** For each side, in their order, a sample of each round. */
  readonly measure: (effort: Effort) => Promise<readonly (readonly Sample[])[]>
}

/** The targets of a declaration, of which there may be one, several or none. */
export const targetsOf = ({ target = [] }: Pick<Declaration<Side>, 'target'>): readonly Target[] =>
  'side' in target ? [target] : target

/** @throws TypeError for a declaration that names sides which are not there, or one twice */
export function checkDeclaration(declaration: Declaration<Side>): void {
  const { name, sides, base } = declaration
  const names = sides.map((side) => side.name)
  if (names.length < 2) throw new TypeError(`${name}: there is nothing to compare with fewer than two sides`)
  if (new Set(names).size !== names.length) throw new TypeError(`${name}: two sides have the same name`)
  if (!names.includes(base)) throw new TypeError(`${name}: the base "${base}" is not one of its sides`)
  for (const { side, than = base, atLeast, atMost } of targetsOf(declaration)) {
    for (const named of [side, than]) {
      if (!names.includes(named)) {
        throw new TypeError(`${name}: the target's side "${named}" is not one of its sides`)
      }
    }
    if ((atLeast === undefined) === (atMost === undefined)) {
      throw new TypeError(`${name}: a target has either atLeast or atMost`)
    }
  }
}
