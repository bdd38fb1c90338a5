import {
  listTargets,
  type Benchmark,
  type RatioKind,
  type Sample,
  type Target,
  type Unit,
} from './benchmark.ts'
import { computeRatio, computeSpread, type Spread } from './statistics.ts'

/** The result of one side. */
export interface SideResult {
  readonly name: string
  readonly does: string
  readonly value: Spread
  /** The ratio to the base; undefined for the base. */
  readonly ratio?: Spread
  /** Medians over the rounds, in milliseconds. */
  readonly latency?: { readonly p50: number; readonly p99: number }
  /** Medians over the rounds. */
  readonly also?: Readonly<Record<string, number>>
}

/** The result of a benchmark. */
export interface Result {
  readonly name: string
  readonly what: string
  readonly unit: Unit
  readonly ratioKind: RatioKind
  readonly base: string
  readonly rounds: number
  readonly sides: readonly SideResult[]
  readonly targets: readonly (Target & { readonly reached: number; readonly met: boolean })[]
}

/** Computes medians, quartiles, ratios, and whether the targets are met. */
export function computeResult(
  benchmark: Omit<Benchmark, 'measure'>,
  samples: readonly (readonly Sample[])[],
): Result {
  const { name, what, unit, base, ratio: kind = 'speed' } = benchmark
  const getSamples = (side: string) =>
    samples[benchmark.sides.findIndex((other) => other.name === side)] ?? []
  const getSpread = (side: string) => computeSpread(getSamples(side).map(({ value }) => value))
  const compare = (side: string, than: string): Spread => {
    if (kind === 'time') return computeRatio(figures(getSamples(than), kind), figures(getSamples(side), kind))
    return computeRatio(figures(getSamples(side), kind), figures(getSamples(than), kind))
  }

  const sides = benchmark.sides.map(({ name, does }): SideResult => {
    const own = getSamples(name)
    const latencies = own.flatMap(({ latency }) => latency ?? [])
    const also = Object.keys(own[0]?.also ?? {}).map((head) => [
      head,
      median(own.map((sample) => sample.also?.[head] ?? 0)),
    ])
    return {
      name,
      does,
      value: getSpread(name),
      ...(name !== base && { ratio: compare(name, base) }),
      ...(latencies.length > 0 && {
        latency: {
          p50: median(latencies.map(({ p50 }) => p50)),
          p99: median(latencies.map(({ p99 }) => p99)),
        },
      }),
      ...(also.length > 0 && { also: Object.fromEntries(also) as Record<string, number> }),
    }
  })
  const targets = listTargets(benchmark).map((target) => {
    const { side, than = base, of } = target
    const reached = of === 'value' ? getSpread(side).median : compare(side, than).median
    return { ...target, reached, met: isMet(target, reached) }
  })
  return { name, what, unit, ratioKind: kind, base, rounds: samples[0]?.length ?? 0, sides, targets }
}

function figures(samples: readonly Sample[], kind: RatioKind): number[] {
  return samples.map(({ value, latency }) => (kind === 'p99' ? (latency?.p99 ?? Number.NaN) : value))
}

const median = (values: readonly number[]): number => computeSpread(values).median

function isMet({ atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Target, reached: number): boolean {
  return reached >= atLeast && reached <= atMost
}
