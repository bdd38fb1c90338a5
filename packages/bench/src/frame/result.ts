import type { Benchmark, Sample, Target } from './benchmark.ts'
import { ratioOf, spreadOf, type Spread } from './statistics.ts'

/** What came of one side. */
export interface SideResult {
  readonly name: string
  readonly does: string
  readonly perSecond: Spread
  /** To the base; of the base itself there is none. */
  readonly ratio?: Spread
  /** Medians over the rounds, in milliseconds. */
  readonly latency?: { readonly p50: number; readonly p99: number }
}

/** What came of a benchmark. */
export interface Result {
  readonly name: string
  readonly what: string
  readonly unit: Benchmark['unit']
  readonly ratioOf: 'speed' | 'time'
  readonly base: string
  readonly rounds: number
  readonly sides: readonly SideResult[]
  readonly target?: Target & { readonly met: boolean }
}

/** Works out medians, ranges, ratios, and whether the target is met. */
export function resultOf(
  benchmark: Omit<Benchmark, 'measure'>,
  samples: readonly (readonly Sample[])[],
): Result {
  const { name, what, unit, base, target, ratio: kind = 'speed' } = benchmark
  const speedsOf = (side: string) =>
    (samples[benchmark.sides.findIndex((other) => other.name === side)] ?? []).map(
      ({ perSecond }) => perSecond,
    )

  const sides = benchmark.sides.map(({ name, does }, index): SideResult => {
    const [own, others] = [speedsOf(name), speedsOf(base)]
    const latencies = (samples[index] ?? []).flatMap(({ latency }) => latency ?? [])
    return {
      name,
      does,
      perSecond: spreadOf(own),
      ...(name !== base && { ratio: kind === 'speed' ? ratioOf(own, others) : ratioOf(others, own) }),
      ...(latencies.length > 0 && {
        latency: {
          p50: spreadOf(latencies.map(({ p50 }) => p50)).median,
          p99: spreadOf(latencies.map(({ p99 }) => p99)).median,
        },
      }),
    }
  })
  const ratio = sides.find((side) => side.name === target?.side)?.ratio?.median ?? 1
  return {
    name,
    what,
    unit,
    ratioOf: kind,
    base,
    rounds: samples[0]?.length ?? 0,
    sides,
    ...(target && { target: { ...target, met: isMet(target, ratio) } }),
  }
}

function isMet({ atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Target, ratio: number): boolean {
  return ratio >= atLeast && ratio <= atMost
}
