// `npm run bench`: measures, prints tables, and writes docs/benchmarks.md with --write.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { readCatalogue, select } from './frame/catalogue.ts'
import { formatDocument, replaceSections } from './frame/document.ts'
import { describeMachine } from './frame/machine.ts'
import { run, type Outcome } from './frame/run.ts'
import { formatTable, formatVerdicts } from './frame/table.ts'

const page = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url))
const notes = new URL('../notes.md', import.meta.url)
const quick = { rounds: 3, turnMs: 300 }
const usage = `npm run bench                     all benchmarks
npm run bench -- rest auth/hs256  benchmarks whose id starts or ends with one of the names
  --quick                         a few short rounds, to try a benchmark
  --list                          lists the benchmarks
  --write                         writes all results, or those of the named benchmarks, to docs/benchmarks.md
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
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(usage)
  if (values.write && values.quick) throw new TypeError('--write needs a full measurement: omit --quick')
  const catalogue = await readCatalogue()
  const entries = select(catalogue, positionals)
  if (values.list) return print(entries.map(({ id }) => `${id}\n`).join(''))

  const machine = describeMachine()
  const outcomes: Outcome[] = []
  for (const entry of entries) {
    print(`\n${entry.id}\n${entry.benchmark.what}\n`)
    const outcome = await run(entry, values.quick ? quick : {})
    print(formatOutcome(outcome))
    outcomes.push(outcome)
  }
  if (values.write) {
    const options = {
      machine,
      date: new Date(),
      command: 'npm run bench -- --write',
      notes: await readFile(notes, 'utf8'),
      ids: catalogue.map(({ id }) => id),
    }
    const text =
      positionals.length === 0
        ? formatDocument(outcomes, options)
        : replaceSections(await readFile(page, 'utf8'), outcomes, options)
    await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }))
    print(`\nWritten to ${page}\n`)
  }
  return outcomes.some((outcome) => 'failure' in outcome) ? 1 : 0
}

function formatOutcome(outcome: Outcome): string {
  if ('failure' in outcome) return `Not measured: ${outcome.failure}\n`
  return `${[formatTable(outcome.result), ...formatVerdicts(outcome.result)].join('\n')}\n`
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
