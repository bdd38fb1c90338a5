import { readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Specimens } from '../specimens.ts'
import { compatibleCases } from './compatible.ts'
import { loadingCases } from './loading.ts'
import { run } from './run.ts'
import { serverCases } from './server.ts'

/** The input of the suite: JSON in the file that the only argument names. */
export interface SuiteInput {
  readonly specimens: Specimens
  /** The entries of all packages. */
  readonly entries: readonly string[]
}

const { specimens, entries } = JSON.parse(await readFile(process.argv[2] as string, 'utf8')) as SuiteInput
const cases = [...(await compatibleCases(specimens)), ...serverCases, ...loadingCases(entries)]
for await (const line of run(cases)) {
  process.stdout.write(`${line}\n`)
  if (line.startsWith('not ok')) process.exitCode = 1
}
