// `npm run bench`: measures, prints tables, and with --write keeps them in docs/benchmarks.md.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { readCatalogue, select } from './frame/catalogue.ts'
import { documentOf, replaceIn } from './frame/document.ts'
import { describeMachine } from './frame/machine.ts'
import { run, type Outcome } from './frame/run.ts'
import { tableOf, verdictsOf } from './frame/table.ts'

const page = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url))
const notes = new URL('../notes.md', import.meta.url)
const quick = { rounds: 3, turnMs: 300 }
const usage = `npm run bench                     all benchmarks
npm run bench -- rest auth/hs256  those whose names begin so, or end in it
  --quick                         a few short rounds, to try a benchmark out
  --list                          only names them
  --write                         writes docs/benchmarks.md, or those that are named into it; not quickly
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
  if (values.write && values.quick)
    throw new TypeError('What is written is not measured quickly: leave out --quick')
  const entries = select(await readCatalogue(), positionals)
  if (values.list) return print(entries.map(({ id }) => `${id}\n`).join(''))

  const machine = describeMachine()
  const outcomes: Outcome[] = []
  for (const entry of entries) {
    print(`\n${entry.id}\n${entry.benchmark.what}\n`)
    const outcome = await run(entry, values.quick ? quick : {})
    print(textOf(outcome))
    outcomes.push(outcome)
  }
  if (values.write) {
    const options = {
      machine,
      date: new Date(),
      command: 'npm run bench -- --write',
      notes: await readFile(notes, 'utf8'),
    }
    const text =
      positionals.length === 0
        ? documentOf(outcomes, options)
        : replaceIn(await readFile(page, 'utf8'), outcomes, options)
    await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }))
    print(`\nWritten to ${page}\n`)
  }
  return outcomes.some((outcome) => 'failure' in outcome) ? 1 : 0
}

function textOf(outcome: Outcome): string {
  if ('failure' in outcome) return `Not measured: ${outcome.failure}\n`
  return `${[tableOf(outcome.result), ...verdictsOf(outcome.result)].join('\n')}\n`
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
