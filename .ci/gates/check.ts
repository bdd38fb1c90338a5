/**
 * The checks before a pull request: all gates without a build or a service, two at a time, and the tests of changed code.
 * Run it with `npm run check`. `.ci/run` runs all gates.
 */
import { runCommand } from './run-command.ts'

const cache = 'node_modules/.cache/check'

/** The gates, slowest first. */
const gates: readonly (readonly [name: string, command: string])[] = [
  ['ESLint', `eslint . --cache --cache-strategy content --cache-location ${cache}/eslint`],
  ['types', 'node .ci/gates/types.ts'],
  [
    'tests of changes',
    'SKIP_SERVICES=1 vitest run --config vitest.workspace.ts --project packages --project isolated --project examples --project repository --changed',
  ],
  ['unused code', 'knip'],
  ['formatting', `prettier --check . --cache --cache-strategy content --cache-location ${cache}/prettier`],
  ['dependencies', 'depcruise --config .dependency-cruiser.js packages examples'],
]

const waiting = [...gates]
const began = performance.now()

async function work(): Promise<void> {
  for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
    const [name, command] = gate
    const since = performance.now()
    const { passed, output } = await runCommand(command)
    process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}, ${seconds(since)}\n`)
    if (passed) continue
    process.stdout.write(`${output}\nTo repeat: npx ${command}\n\n`)
    process.exitCode = 1
  }
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

await Promise.all([work(), work()])
process.stdout.write(`${process.exitCode === 1 ? 'Failed' : 'Passed'}, ${seconds(began)}\n`)
