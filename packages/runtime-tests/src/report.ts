/** How one runtime did. */
export interface Outcome {
  readonly runtime: string
  /** By area: how many cases passed. */
  readonly passed: ReadonlyMap<string, number>
  /** The lines of what failed, and what else was written if the suite came to no end. */
  readonly failures: readonly string[]
  /** Why it did not run. */
  readonly skipped?: string
}

/** Reads the lines of the suite. */
export function readOutput(runtime: string, output: string): Outcome {
  const lines = output.split('\n')
  const passed = new Map<string, number>()
  for (const line of lines) {
    const [, area] = /^ok (\S+) > /.exec(line) ?? []
    if (area !== undefined) passed.set(area, (passed.get(area) ?? 0) + 1)
  }
  const failures = lines.filter((line) => line.startsWith('not ok '))
  const end = `# ${count(passed)} passed, ${failures.length} failed`
  if (lines.includes(end)) return { runtime, passed, failures }
  const others = lines.filter((line) => line !== '' && !/^(ok|not ok) /.test(line))
  return {
    runtime,
    passed,
    failures: [...failures, `not ok to its end: ${others.join('\n').slice(0, 4000)}`],
  }
}

const count = (passed: ReadonlyMap<string, number>): number =>
  [...passed.values()].reduce((sum, one) => sum + one, 0)

/** A row for each runtime, a column for each area. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const areas = [...new Set(outcomes.flatMap(({ passed }) => [...passed.keys()]))]
  const rows = [
    ['', ...areas, 'failed'],
    ...outcomes.map(({ runtime, passed, failures, skipped }) => [
      runtime,
      ...areas.map((area) => (skipped === undefined ? String(passed.get(area) ?? '-') : '-')),
      skipped === undefined ? String(failures.length) : 'skipped',
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The sums, under the names that test runners give them in JSON. */
export function sumsOf(outcomes: readonly Outcome[]) {
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const numFailedTests = sum(({ failures }) => failures.length)
  return {
    numPassedTests: sum(({ passed }) => count(passed)),
    numFailedTests,
    numPendingTests: sum(({ skipped }) => (skipped === undefined ? 0 : 1)),
    numFailedTestSuites: outcomes.filter(({ failures }) => failures.length > 0).length,
    success: numFailedTests === 0,
  }
}
