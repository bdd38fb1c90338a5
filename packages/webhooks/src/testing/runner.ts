/**
 * The functions of a test runner: vitest, Jest, `bun:test`, or `describe` and `it` of `node:test` with an `expect` of
 * another library.
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => void | Promise<void>) => unknown
  /** The message identifies the failed case. Jest accepts no message: pass `(actual) => expect(actual)`. */
  readonly expect: (actual: unknown, message?: string) => Expectation
}

/** The assertions that the suites make. */
interface Expectation {
  readonly not: Pick<Expectation, 'toBe' | 'toEqual'>
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
}
