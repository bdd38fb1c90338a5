import type { TestRunner } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'

/** Tests that try many inputs end when they end, however busy the machine is. */
export const patient = { timeout: 60_000 }

/** Runs the conformance suite of providers. */
export const runner: TestRunner = {
  describe: (name, define) => {
    describe(name, patient, define)
  },
  expect,
  it,
}
