import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of every choice that a suite makes. */
    readonly seed: number
  }
}

/** Draws the seed of a run, or takes it from RELIABILITY_SEED, and says which it is. */
export default function setup(project: TestProject): void {
  const seed = Number(process.env['RELIABILITY_SEED'] ?? randomInt(2 ** 31))
  if (!Number.isInteger(seed)) throw new TypeError('RELIABILITY_SEED has to be a whole number')
  project.provide('seed', seed)
  process.stdout.write(`The seed of this run: RELIABILITY_SEED=${seed}\n`)
}
