import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StageResult } from './run-stages.ts'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numFailedTestSuites: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The names of the reports that are missing or have no passed test. */
  readonly missing: readonly string[]
}

/** Adds the reports of the test runner. */
export function countTests(folder: string, names: readonly string[]): Counts {
  const missing: string[] = []
  let [passed, failed, skipped] = [0, 0, 0]
  for (const name of names) {
    const report = readReport(join(folder, `${name}.json`))
    if (report === undefined || report.numPassedTests === 0) missing.push(name)
    if (report === undefined) continue
    passed += report.numPassedTests
    skipped += report.numPendingTests
    // A suite that fails to load has no tests.
    failed += report.success
      ? report.numFailedTests
      : Math.max(report.numFailedTests, report.numFailedTestSuites, 1)
  }
  return { passed, failed, skipped, missing }
}

/** Lists the failed tests of the reports with the first lines of their messages, also files that cannot be loaded. */
export function listFailures(folder: string, names: readonly string[]): readonly string[] {
  const failures: string[] = []
  for (const name of names) {
    for (const file of readReport(join(folder, `${name}.json`))?.testResults ?? []) {
      const failed = file.assertionResults.filter(({ status }) => status === 'failed')
      for (const { fullName, failureMessages } of failed)
        failures.push(`${file.name} > ${fullName}: ${shorten(failureMessages.join('\n'))}`)
      if (file.status === 'failed' && failed.length === 0)
        failures.push(`${file.name}: ${shorten(file.message)}`)
    }
  }
  return failures
}

const shorten = (message: string): string => message.split('\n').slice(0, 4).join('\n').slice(0, 600)

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

/** Formats the times of the stages, longest first. */
export function formatTimes(results: readonly StageResult[]): string {
  const describe = { true: 'ok', false: 'FAILED', undefined: 'left out' }
  return results
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(
      ({ name, passed, seconds }) =>
        `${name.padEnd(20)} ${seconds.toFixed(0).padStart(5)} s  ${describe[`${passed}`]}`,
    )
    .join('\n')
}
