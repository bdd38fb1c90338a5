/** The outcome of the suite on one runtime. */
export interface Outcome {
  readonly runtime: string
  /** The number of passed cases by area. */
  readonly passed: ReadonlyMap<string, number>
  /** The lines of failed cases, and the other output if the suite did not finish. */
  readonly failures: readonly string[]
  /** Why the suite did not run. */
  readonly skipped?: string
}

/** Parses the output of the suite. */
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
    failures: [...failures, `not ok: the suite did not finish: ${others.join('\n').slice(0, 4000)}`],
  }
}

const count = (passed: ReadonlyMap<string, number>): number =>
  [...passed.values()].reduce((sum, one) => sum + one, 0)

/** Formats a table with a row for each runtime and a column for each area. */
export function formatTable(outcomes: readonly Outcome[]): string {
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

/** Sums outcomes under the names of the JSON reports of test runners. */
export function summarize(outcomes: readonly Outcome[]) {
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

/** Formats a Markdown table with a row for each area and a column for each runtime. */
export function formatMatrix(outcomes: readonly Outcome[]): string {
  const areas = [...new Set(outcomes.flatMap(({ passed }) => [...passed.keys()]))]
  return [
    ['', ...outcomes.map(({ runtime }) => runtime)],
    ['', ...outcomes].map(() => '-'),
    ...areas.map((area) => [
      `\`${area}\``,
      ...outcomes.map(({ passed }) => (passed.has(area) ? 'yes' : 'no')),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Checks whether a page contains a table, regardless of padding. */
export const containsTable = (page: string, matrix: string): boolean => plain(page).includes(plain(matrix))

const plain = (text: string): string =>
  text.replaceAll(/[ ]+/g, ' ').replaceAll(/-{2,}/g, '-').replaceAll('| |', '||')
