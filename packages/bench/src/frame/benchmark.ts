/** The measurement of a side in one round. */
export interface Sample {
  /** The value in the unit of the benchmark. */
  readonly value: number
  /** Percentiles of the response time in milliseconds; only for HTTP load. */
  readonly latency?: { readonly p50: number; readonly p99: number }
  /** Further columns by heading, such as `CPU ms each`; the same for all sides. */
  readonly also?: Readonly<Record<string, number>>
}

/** One of the compared implementations. */
export interface Side {
  readonly name: string
  /** What the side does and omits, precise enough to be checked. */
  readonly does: string
}

/** A performance target of one side. */
export interface Target {
  readonly side: string
  /** The side that the ratio refers to. @default the base */
  readonly than?: string
  /** Whether the bound applies to the ratio or to the value. @default 'ratio' */
  readonly of?: 'ratio' | 'value'
  readonly atLeast?: number
  readonly atMost?: number
}

/**
 * The definition of the ratio. `speed` and `value` divide the value of the side by that of the base, `time` divides the
 * speed of the base by that of the side, and `p99` divides the 99th percentile of the side by that of the base. A higher
 * speed is better; the others are usually better when lower.
 */
export type RatioKind = 'speed' | 'time' | 'value' | 'p99'

/** The unit of a value. */
export type Unit = 'operations/s' | 'requests/s' | 'deliveries/s' | 'events/s' | 'ms' | 'MB'

/** The common part of all kinds of benchmarks. */
export interface Declaration<Side> {
  /** A unique name within the area, such as `list-query` in `rest/list-query`. */
  readonly name: string
  /** What is measured, in one or two sentences. */
  readonly what: string
  /** At least two sides, in the order of the table. */
  readonly sides: readonly Side[]
  /** The side that the others are compared with. */
  readonly base: string
  /** @default 'speed' */
  readonly ratio?: RatioKind
  readonly target?: Target | readonly Target[]
}

/** The duration of a measurement. */
export interface Effort {
  /** Rounds, in which each side has one turn. @default depends on the kind */
  readonly rounds?: number
  /** Duration of a turn in milliseconds. @default depends on the kind */
  readonly turnMs?: number
}

/** A benchmark of any kind, created by `defineMicro`, `defineHttp` or `defineTrial`. */
export interface Benchmark extends Declaration<Side> {
  readonly unit: Unit
  /** Returns the samples of each side, one per round. */
  readonly measure: (effort: Effort) => Promise<readonly (readonly Sample[])[]>
}

/** Returns the targets of a declaration as a list. */
export const listTargets = ({ target = [] }: Pick<Declaration<Side>, 'target'>): readonly Target[] =>
  'side' in target ? [target] : target

/** @throws TypeError for an unknown or duplicate side and for a target without exactly one bound */
export function checkDeclaration(declaration: Declaration<Side>): void {
  const { name, sides, base } = declaration
  const names = sides.map((side) => side.name)
  if (names.length < 2) throw new TypeError(`${name}: a comparison needs two sides; there are fewer than two`)
  if (new Set(names).size !== names.length) throw new TypeError(`${name}: two sides have the same name`)
  if (!names.includes(base)) throw new TypeError(`${name}: the base "${base}" is not one of its sides`)
  for (const { side, than = base, atLeast, atMost } of listTargets(declaration)) {
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
