/**
 * Runs the stages of CI after `npm ci`, or those that are named, and ends with a table of their times. Part of `.ci/run`.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStages } from './run-stages.ts'
import { listStages, selectStages, type Stage } from './stages.ts'
import { countTests, formatTimes, listFailures } from './summary.ts'

const began = performance.now()
const reports = mkdtempSync(join(tmpdir(), 'sallyport-ci-'))
const wanted = process.argv.slice(2)
const all = listStages(reports)
const stages = wanted.length === 0 ? all : selectStages(all, wanted)
const getLog = ({ name }: Stage): string => join(reports, `${name.replaceAll(' ', '-')}.log`)
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const results = await runStages(stages, {
  cwd: fileURLToPath(new URL('../../', import.meta.url)),
  getLog,
  onStart: ({ name }) => {
    print(`-- ${name} starts after ${((performance.now() - began) / 1000).toFixed(0)} s`)
  },
  onEnd: (stage, { passed, seconds }) => {
    print(`\n== ${stage.name}: ${passed === undefined ? 'left out' : `${seconds.toFixed(0)} s`}`)
    if (passed !== undefined) print(readFileSync(getLog(stage), 'utf8'))
  },
})

print(`\n${formatTimes(results)}`)
print(`Total without the installation: ${((performance.now() - began) / 1000).toFixed(0)} s`)

const expected = ['Tests', 'Reliability', 'Runtimes'].filter((name) =>
  stages.some((one) => one.name === name),
)
const names = expected.map((name) => name.toLowerCase())
const { passed, failed, skipped, missing } = countTests(reports, names)
for (const failure of listFailures(reports, names)) print(`FAILED ${failure}`)
for (const name of missing) print(`The report of ${name} is missing or has no passed test.`)
const broken = results.filter((result) => result.passed !== true)
for (const { name } of broken) print(`Failed or left out: ${name}`)
print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = broken.length > 0 || failed > 0 || missing.length > 0 ? 1 : 0
