import { expect } from 'vitest'
import type { TestRunner } from '@sallyport/webhooks/testing'

/** Runs the tests of a suite and returns the titles of those that fail. `groups` limits the run to `describe` groups. */
export async function findFailingTests(
  define: (runner: TestRunner) => void,
  groups?: readonly string[],
): Promise<readonly string[]> {
  const tests: (readonly [title: string, body: () => void | Promise<void>])[] = []
  let isIncluded = groups === undefined
  define({
    describe: (title, body) => {
      isIncluded = groups?.includes(title) ?? true
      body()
    },
    it: (title, body) => {
      if (isIncluded) tests.push([title, body])
    },
    expect,
  })
  const failed: string[] = []
  for (const [title, body] of tests) {
    try {
      await body()
    } catch {
      failed.push(title)
    }
  }
  return failed
}
