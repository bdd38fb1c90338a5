import type { TestRunner } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'

/** A timeout for tests that try many inputs. */
export const slowTest = { timeout: 60_000 }

/** Runs the conformance suite of providers. */
export const runner: TestRunner = {
  describe: (name, define) => {
    describe(name, slowTest, define)
  },
  expect,
  it,
}
