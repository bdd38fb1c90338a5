import type { RatioKind } from '../frame/benchmark.ts'
import type { Outcome } from '../frame/run.ts'
import { computeSpread } from '../frame/statistics.ts'

/** The ratios of a run by benchmark and sides. A higher ratio is better, so ratios of times and sizes are inverted. */
export type Ratios = Readonly<Record<string, number>>

/** A run in the history. */
export interface Run {
  /** ISO 8601. */
  readonly date: string
  readonly commit: string
  readonly ratios: Ratios
}

/** A ratio that is lower than in the previous runs. */
export interface Drop {
  readonly name: string
  readonly before: number
  readonly now: number
}

/** One slow run must not lower the reference, so it is the median of some runs. */
const comparedRuns = 5
const keptRuns = 200
const allowedDrop = 0.15

/** Returns the ratios of all targets, and of the sides of benchmarks without targets. */
export function listRatios(outcomes: readonly Outcome[]): Ratios {
  const ratios: Record<string, number> = {}
  for (const outcome of outcomes) {
    if (!('result' in outcome)) continue
    const { ratioKind, base, sides, targets } = outcome.result
    const add = (side: string, than: string, ratio: number) => {
      ratios[`${outcome.id}: ${side} ÷ ${than}`] = orient(ratio, ratioKind)
    }
    for (const { side, than = base, of, reached } of targets) if (of !== 'value') add(side, than, reached)
    if (targets.length > 0) continue
    for (const { name, ratio } of sides) if (ratio !== undefined) add(name, base, ratio.median)
  }
  return ratios
}

const orient = (ratio: number, kind: RatioKind): number => (kind === 'speed' ? ratio : 1 / ratio)

/** Returns the ratios that are more than 15 % below the median of the last five runs that have them. */
export function findDrops(ratios: Ratios, history: readonly Run[]): readonly Drop[] {
  return Object.entries(ratios).flatMap(([name, now]) => {
    const earlier = history.flatMap((run) => run.ratios[name] ?? []).slice(-comparedRuns)
    if (earlier.length === 0) return []
    const before = computeSpread(earlier).median
    return now < before * (1 - allowedDrop) ? [{ name, before, now }] : []
  })
}

/** Parses one run per line. */
export const parseHistory = (text: string): readonly Run[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Run)

/** Formats the last 200 runs, one per line. */
export const formatHistory = (history: readonly Run[]): string =>
  history
    .slice(-keptRuns)
    .map((run) => `${JSON.stringify(run)}\n`)
    .join('')
