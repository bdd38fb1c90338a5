import { relative } from 'node:path'
import { expect } from 'vitest'

/** A requirement that this machine lacks. */
export interface Missing {
  readonly what: string
  /** How to get the requirement, as words after "To run it,". */
  readonly hint: string
  /** Why the requirement counts as missing. */
  readonly reason: string
}

/** Returns whether `REQUIRE_SERVICES=1` turns a skipped suite into a failure. */
export function servicesAreRequired(): boolean {
  return process.env['REQUIRE_SERVICES'] === '1'
}

/** Returns whether `SKIP_SERVICES=1` leaves out the suites that need a service. */
export function servicesAreSkipped(): boolean {
  return process.env['SKIP_SERVICES'] === '1'
}

/** Prints on stderr which suite is skipped, why, and how to run it. Reporters only count skipped tests. */
export function announceSkip({ what, hint, reason }: Missing): void {
  const { testPath } = expect.getState()
  const suite = testPath === undefined ? 'a suite' : relative(process.cwd(), testPath)
  process.stderr.write(`\nSKIPPED ${suite}: it needs ${what}: ${reason}.\n  To run it, ${hint}.\n`)
}

export function createMissingError({ what, hint, reason }: Missing): Error {
  return new Error(`This suite needs ${what}: ${reason}. To run it, ${hint}.`)
}
