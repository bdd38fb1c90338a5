import { expect } from 'vitest'
import type { TestRunner } from '../src/testing/index.ts'

type Test = readonly [name: string, body: () => void | Promise<void>]

/** The tests that a suite defines. */
export function collectTests(define: (runner: TestRunner) => void): readonly Test[] {
  const tests: Test[] = []
  define({
    describe: (_, body) => {
      body()
    },
    it: (name, body) => tests.push([name, body]),
    expect,
  })
  return tests
}

/** The names of the tests that fail, of those that a suite defines. */
export async function findFailingTests(define: (runner: TestRunner) => void): Promise<readonly string[]> {
  const failed: string[] = []
  for (const [name, body] of collectTests(define)) {
    try {
      await body()
    } catch {
      failed.push(name)
    }
  }
  return failed
}
