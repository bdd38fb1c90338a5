// `npm run bench`: measures, prints tables, and writes results.jsonl with --write.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readCatalogue, select } from './frame/catalogue.ts'
import { describeMachine } from './frame/machine.ts'
import { run, type Outcome } from './frame/run.ts'
import { formatTable, formatVerdicts } from './frame/table.ts'
import { mergeResults, readResults, writeResults } from './results/results.ts'

const quick = { rounds: 3, turnMs: 300 }
const usage = `npm run bench                     all benchmarks
npm run bench -- rest auth/hs256  benchmarks whose id starts or ends with one of the names
  --quick                         a few short rounds, to try a benchmark
  --list                          lists the benchmarks
  --json FILE                     writes the results as JSON, for the history
  --show                          prints the stored results, without a measurement
  --write                         stores the results in results.jsonl; then run \`npm run docs:generate\`
`

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})

async function main(parameters: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: parameters,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      show: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(usage)
  if (values.write && values.quick) throw new TypeError('--write needs a full measurement: omit --quick')
  const catalogue = await readCatalogue()
  const entries = select(catalogue, positionals)
  if (values.list) return print(entries.map(({ id }) => `${id}\n`).join(''))
  if (values.show) return show(entries.map(({ id }) => id))

  const machine = describeMachine()
  const outcomes: Outcome[] = []
  for (const entry of entries) {
    print(`\n${entry.id}\n${entry.benchmark.what}\n`)
    const outcome = await run(entry, values.quick ? quick : {})
    print(formatOutcome(outcome))
    outcomes.push(outcome)
  }
  if (values.write) {
    const ids = catalogue.map(({ id }) => id)
    await writeResults(mergeResults(await readResults(), outcomes, { machine, date: new Date(), ids }))
  }
  if (values.json !== undefined) {
    await writeFile(values.json, JSON.stringify({ machine, date: new Date().toISOString(), outcomes }))
  }
  return outcomes.some((outcome) => 'failure' in outcome) ? 1 : 0
}

/** Prints stored results with the sides and the place of the measurement. */
async function show(ids: readonly string[]): Promise<number> {
  for (const { id, measurement, result } of await readResults()) {
    if (!ids.includes(id)) continue
    const { date, commit, cpu } = measurement
    const sides = result.sides.map(({ name, does }) => `- ${name}: ${does}\n`).join('')
    print(
      `\n${id}\n${result.what} ${date}, commit ${commit}, ${cpu}.\n\n${formatOutcome({ id, result })}${sides}`,
    )
  }
  return 0
}

function formatOutcome(outcome: Outcome): string {
  if ('failure' in outcome) return `Not measured: ${outcome.failure}\n`
  return `${[formatTable(outcome.result), ...formatVerdicts(outcome.result)].join('\n')}\n`
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
