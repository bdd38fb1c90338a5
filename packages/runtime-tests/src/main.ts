import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { publicEntries } from './entries.ts'
import { matrixOf, shows } from './matrix.ts'
import { readOutput, sumsOf, tableOf, type Outcome } from './report.ts'
import type { Runtime } from './runtime.ts'
import { runtimes } from './runtimes.ts'
import { makeSpecimens } from './specimens.ts'
import type { SuiteInput } from './suite/process.ts'

const { values } = parseArgs({ options: { report: { type: 'string' } } })
const required = process.env['CI'] === 'true' || process.env['REQUIRE_SERVICES'] === '1'
const install = 'npm ci --prefix packages/runtime-tests/runtimes'

async function tryOn({ name, program, run }: Runtime, input: SuiteInput): Promise<Outcome> {
  if (program !== undefined && !existsSync(program)) {
    const why = `${name} is not installed: ${install}`
    return { runtime: name, passed: new Map(), failures: required ? [`not ok ${why}`] : [], skipped: why }
  }
  return readOutput(name, await run(input).catch((error: unknown) => String(error)))
}

const input = { specimens: await makeSpecimens(), entries: publicEntries() }
const waiting = runtimes.entries()
const outcomes: Outcome[] = []
/** Two at a time: each is busy with cryptography from its start to its end. */
const lane = async (): Promise<void> => {
  for (const [index, runtime] of waiting) outcomes[index] = await tryOn(runtime, input)
}
await Promise.all([lane(), lane()])

for (const { runtime, failures, skipped } of outcomes) {
  if (skipped !== undefined) process.stdout.write(`SKIPPED ${skipped}\n`)
  for (const failure of failures) process.stdout.write(`${runtime}: ${failure}\n`)
}
process.stdout.write(`${tableOf(outcomes)}\n`)
const page = readFileSync(new URL('../../../docs/runtimes.md', import.meta.url), 'utf8')
const matrix = matrixOf(outcomes)
const documented = outcomes.some(({ skipped }) => skipped !== undefined) || shows(page, matrix)
if (!documented) process.stdout.write(`docs/runtimes.md has to show:\n${matrix}\n`)

const sums = sumsOf(outcomes)
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(sums))
process.stdout.write(`${sums.numPassedTests} passed, ${sums.numFailedTests} failed\n`)
process.exitCode = sums.success && documented ? 0 : 1
