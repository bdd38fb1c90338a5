/**
 * The checks before a pull request: all gates without a build or a service, two at a time, and the tests of changed code.
 * Run it with `npm run check`. `.ci/run` runs all gates.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cache = 'node_modules/.cache/check'

/** The gates, slowest first. */
const gates: readonly (readonly [name: string, command: string])[] = [
  ['ESLint', `eslint . --cache --cache-strategy content --cache-location ${cache}/eslint`],
  ['types', 'node .ci/gates/types.ts'],
  [
    'tests of changes',
    'SKIP_SERVICES=1 vitest run --config vitest.workspace.ts --project packages --project examples --project repository --changed',
  ],
  ['unused code', 'knip'],
  ['formatting', `prettier --check . --cache --cache-strategy content --cache-location ${cache}/prettier`],
  ['dependencies', 'depcruise --config .dependency-cruiser.js packages examples'],
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const waiting = [...gates]
const began = performance.now()

async function work(): Promise<void> {
  for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
    const [name, command] = gate
    const since = performance.now()
    const { passed, output } = await run(command)
    process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}, ${seconds(since)}\n`)
    if (passed) continue
    process.stdout.write(`${output}\nTo repeat: npx ${command}\n\n`)
    process.exitCode = 1
  }
}

const run = (command: string): Promise<{ readonly passed: boolean; readonly output: string }> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: root, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: stdout + stderr })
    })
  })

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

await Promise.all([work(), work()])
process.stdout.write(`${process.exitCode === 1 ? 'Failed' : 'Passed'}, ${seconds(began)}\n`)
