import { relative } from 'node:path'
import { expect } from 'vitest'

/** Something that this machine lacks. */
export interface Absence {
  readonly what: string
  /** How to get it, in words that follow "To run it,". */
  readonly hint: string
  /** Why it counts as missing. */
  readonly reason: string
}

/** Says on stderr what is skipped, why, and how to run it: reporters count skipped tests, but nobody reads the count. */
export function announceSkip({ what, hint, reason }: Absence): void {
  const { testPath } = expect.getState()
  const suite = testPath === undefined ? 'a suite' : relative(process.cwd(), testPath)
  process.stderr.write(`\nSKIPPED ${suite}: it needs ${what}: ${reason}.\n  To run it, ${hint}.\n`)
}

export function failure({ what, hint, reason }: Absence): Error {
  return new Error(`This suite needs ${what}: ${reason}. To run it, ${hint}.`)
}
