/** What a side did in one round. */
export interface Sample {
  /** Operations, or requests, in a second. */
  readonly perSecond: number
  /** Percentiles of the time until the answer, in milliseconds; of load over HTTP alone. */
  readonly latency?: { readonly p50: number; readonly p99: number }
}

/** One of those who are compared. */
export interface Side {
  readonly name: string
  /** What it does and what it does not do, in words that a reader can object to. */
  readonly does: string
}

/** A promise about one side's ratio to the base. */
export interface Target {
  readonly side: string
  readonly atLeast?: number
  readonly atMost?: number
}

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
  /** Whether the ratio is of speeds (more is better) or of times (less is better). @default 'speed' */
  readonly ratio?: 'speed' | 'time'
  readonly target?: Target
}

/** How long to measure. */
export interface Effort {
  /** Rounds in which each side has one turn. @default what its kind needs for a steady median */
  readonly rounds?: number
  /** How long a turn lasts, in milliseconds. @default what its kind needs */
  readonly turnMs?: number
}

/** A benchmark of any kind; `defineMicro` and `defineHttp` make them. */
export interface Benchmark extends Declaration<Side> {
  /** What is counted in a second. */
  readonly unit: 'operations' | 'requests'
  /** For each side, in their order, a sample of each round. */
  readonly measure: (effort: Effort) => Promise<readonly (readonly Sample[])[]>
}

/** @throws TypeError for a declaration that names sides which are not there, or one twice */
export function checkDeclaration({ name, sides, base, target }: Declaration<Side>): void {
  const names = sides.map((side) => side.name)
  if (names.length < 2) throw new TypeError(`${name}: there is nothing to compare with fewer than two sides`)
  if (new Set(names).size !== names.length) throw new TypeError(`${name}: two sides have the same name`)
  if (!names.includes(base)) throw new TypeError(`${name}: the base "${base}" is not one of its sides`)
  if (target === undefined) return
  if (!names.includes(target.side)) {
    throw new TypeError(`${name}: the target's side "${target.side}" is not one of its sides`)
  }
  if ((target.atLeast === undefined) === (target.atMost === undefined)) {
    throw new TypeError(`${name}: a target has either atLeast or atMost`)
  }
}
