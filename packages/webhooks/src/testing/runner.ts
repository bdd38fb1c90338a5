/**
 * The functions of a test runner that the suites call: those of vitest, of Jest, of `bun:test`, or `describe` and `it`
 * of `node:test` beside an `expect` of your choice.
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => void | Promise<void>) => unknown
  /** The message tells which of many cases failed. Jest takes none: pass it as `(actual) => expect(actual)`. */
  readonly expect: (actual: unknown, message?: string) => Expectation
}

/** The assertions that the suites make. */
export interface Expectation {
  readonly not: Pick<Expectation, 'toBe' | 'toEqual'>
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
}
