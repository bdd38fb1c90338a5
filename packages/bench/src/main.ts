// `npm run bench`: measures, prints tables, and writes docs/benchmarks.md with --write.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { addCharts, chartFolder } from './charts/charts.ts'
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
  --json FILE                     writes the results as JSON, for the history
  --charts                        draws the charts of docs/benchmarks.md again, without a measurement
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
      charts: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(usage)
  if (values.write && values.quick) throw new TypeError('--write needs a full measurement: omit --quick')
  if (values.charts) {
    await writePage(await readFile(page, 'utf8'))
    return 0
  }
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
    await writePage(text)
  }
  if (values.json !== undefined) {
    await writeFile(values.json, JSON.stringify({ machine, date: new Date().toISOString(), outcomes }))
  }
  return outcomes.some((outcome) => 'failure' in outcome) ? 1 : 0
}

/** Writes the page and its charts. */
async function writePage(text: string): Promise<void> {
  const formatPage = async (markdown: string) =>
    format(markdown, { ...(await resolveConfig(page)), parser: 'markdown' })
  const charts = addCharts(await formatPage(text))
  const folder = join(dirname(page), chartFolder)
  await mkdir(folder, { recursive: true })
  for (const [name, svg] of charts.files) await writeFile(join(folder, name), svg)
  await writeFile(page, await formatPage(charts.page))
  print(`\nWritten to ${page}\n`)
}

function formatOutcome(outcome: Outcome): string {
  if ('failure' in outcome) return `Not measured: ${outcome.failure}\n`
  return `${[formatTable(outcome.result), ...formatVerdicts(outcome.result)].join('\n')}\n`
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
