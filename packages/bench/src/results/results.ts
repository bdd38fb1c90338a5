import { readFile, writeFile } from 'node:fs/promises'
import type { Machine } from '../frame/machine.ts'
import type { Result } from '../frame/result.ts'
import type { Outcome } from '../frame/run.ts'

/** Where and when a benchmark was measured. */
export interface Measurement {
  /** The day, as in 2026-01-31. */
  readonly date: string
  /** The measured commit, with a `+` if there were uncommitted changes. */
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  /** Load average of the minute before the measurement; unknown for the oldest ones. */
  readonly loadAverage?: number
}

/** The newest result of a benchmark. */
export interface StoredResult {
  /** `<area>/<name>`. */
  readonly id: string
  readonly measurement: Measurement
  readonly result: Result
}

const file = new URL('../../results.jsonl', import.meta.url)

/** Reads `results.jsonl`, which has the newest result of each benchmark in one line. */
export async function readResults(): Promise<readonly StoredResult[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as StoredResult)
}

/** Writes `results.jsonl`. */
export async function writeResults(results: readonly StoredResult[]): Promise<void> {
  await writeFile(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
}

/**
 * Replaces the results that were measured again. A benchmark that failed keeps its earlier result.
 *
 * @param ids the ids of all benchmarks in their order; a result of another benchmark is removed
 */
export function mergeResults(
  stored: readonly StoredResult[],
  outcomes: readonly Outcome[],
  {
    machine: { commit, cpu, cores, loadAverage },
    date,
    ids,
  }: { readonly machine: Machine; readonly date: Date; readonly ids: readonly string[] },
): readonly StoredResult[] {
  const measurement = { date: date.toISOString().slice(0, 10), commit, cpu, cores, loadAverage }
  const measured = outcomes.flatMap((outcome) =>
    'result' in outcome ? [{ id: outcome.id, measurement, result: outcome.result }] : [],
  )
  const newest = new Map([...stored, ...measured].map((one) => [one.id, one]))
  return ids.flatMap((id) => newest.get(id) ?? [])
}
