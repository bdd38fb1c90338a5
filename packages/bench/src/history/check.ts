// `node check.ts results.json history.jsonl`: appends the results of `--json` to the history. Fails for a drop of a ratio.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Outcome } from '../frame/run.ts'
import { findDrops, formatHistory, listRatios, parseHistory } from './history.ts'

const [results, path] = process.argv.slice(2)
if (results === undefined || path === undefined)
  throw new TypeError('Pass the files of the results and the history')

const { date, machine, outcomes } = JSON.parse(await readFile(results, 'utf8')) as {
  readonly date: string
  readonly machine: { readonly commit: string }
  readonly outcomes: readonly Outcome[]
}
const history = parseHistory(await readHistory(path))
const ratios = listRatios(outcomes)
await mkdir(dirname(path), { recursive: true })
await writeFile(path, formatHistory([...history, { date, commit: machine.commit, ratios }]))

const drops = findDrops(ratios, history)
process.stdout.write(
  `${Object.keys(ratios).length} ratios, ${history.length} earlier runs, ${drops.length} drops\n`,
)
for (const { name, before, now } of drops) {
  process.stderr.write(`${name} dropped from ${before.toFixed(2)} to ${now.toFixed(2)}\n`)
}
process.exitCode = drops.length > 0 ? 1 : 0

/** Returns an empty history if the file does not exist, as in the first run. */
async function readHistory(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
