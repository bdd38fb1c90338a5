import type { Case } from './case.ts'

/**
 * Runs cases in order.
 *
 * @yields one line per case, `ok <area> > <name>` or `not ok <area> > <name>: <reason>`, and a last line with the counts
 */
export async function* run(cases: Iterable<Case>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0 }
  for (const { area, name, run: check } of cases) {
    try {
      await check()
      counts.passed++
      yield `ok ${area} > ${name}`
    } catch (error) {
      counts.failed++
      yield `not ok ${area} > ${name}: ${reason(error)}`
    }
  }
  yield `# ${counts.passed} passed, ${counts.failed} failed`
}

function reason(error: unknown): string {
  const { stack, cause } = error instanceof Error ? error : new Error(String(error))
  const own = `${String(error)} ${stack ?? ''}`.replaceAll(/\s+/g, ' ')
  return cause === undefined ? own : `${own} because of ${reason(cause)}`
}
