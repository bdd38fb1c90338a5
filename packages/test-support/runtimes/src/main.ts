import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { containsTable, formatMatrix, formatTable, readOutput, summarize, type Outcome } from './report.ts'
import { runtimes, type Runtime } from './runtimes.ts'
import { makeSpecimens } from './specimens.ts'
import type { SuiteInput } from './suite/process.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))
const { values } = parseArgs({ options: { report: { type: 'string' } } })
const required = process.env['CI'] === 'true' || process.env['REQUIRE_SERVICES'] === '1'
const install = 'npm ci --prefix packages/test-support/runtimes'

async function runOn({ name, program, run }: Runtime, input: SuiteInput): Promise<Outcome> {
  if (program !== undefined && !existsSync(program)) {
    const why = `${name} is not installed: ${install}`
    return { runtime: name, passed: new Map(), failures: required ? [`not ok ${why}`] : [], skipped: why }
  }
  return readOutput(name, await run(input).catch((error: unknown) => String(error)))
}

const input = { specimens: await makeSpecimens(), entries: publicEntries() }
const waiting = runtimes.entries()
const outcomes: Outcome[] = []
/** Two runtimes at a time, because each one uses a full core. */
const worker = async (): Promise<void> => {
  for (const [index, runtime] of waiting) outcomes[index] = await runOn(runtime, input)
}
await Promise.all([worker(), worker()])

for (const { runtime, failures, skipped } of outcomes) {
  if (skipped !== undefined) process.stdout.write(`SKIPPED ${skipped}\n`)
  for (const failure of failures) process.stdout.write(`${runtime}: ${failure}\n`)
}
process.stdout.write(`${formatTable(outcomes)}\n`)
const page = readFileSync(new URL('../../../../docs/runtimes.md', import.meta.url), 'utf8')
const matrix = formatMatrix(outcomes)
const documented = outcomes.some(({ skipped }) => skipped !== undefined) || containsTable(page, matrix)
if (!documented) process.stdout.write(`Update the table in docs/runtimes.md:\n${matrix}\n`)

const sums = summarize(outcomes)
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(sums))
process.stdout.write(`${sums.numPassedTests} passed, ${sums.numFailedTests} failed\n`)
process.exitCode = sums.success && documented ? 0 : 1

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

/** Lists every entry of every published package as an import specifier. */
function publicEntries(): readonly string[] {
  return globSync('*/package.json', { cwd: packages })
    .map((path) => ({
      folder: `${packages}${dirname(path)}`,
      manifest: JSON.parse(readFileSync(packages + path, 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder, manifest: { name, exports = {} } }) =>
      Object.entries(exports).flatMap(([path, target]) => expandEntry(name + path.slice(1), target, folder)),
    )
    .filter((entry) => !entry.endsWith('.json'))
    .sort()
}

/** Returns the entries that a pattern such as `./*` stands for, and any other entry as it is. Entries of JSON files are absent. */
function expandEntry(entry: string, target: unknown, folder: string): readonly string[] {
  if (!entry.includes('*')) return [entry]
  if (typeof target === 'string') return []
  const { default: pattern = '' } = target as { readonly default?: string }
  const [start = '', end = ''] = pattern.split('*')
  return globSync(pattern, { cwd: folder }).map((path) => {
    const file = `./${relative('.', path)}`
    return entry.replace('*', file.slice(start.length, file.length - end.length))
  })
}
