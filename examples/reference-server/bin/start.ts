/** The entry point of `npm start`: builds the console if its sources are newer, then runs the server from source. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildIfChanged } from '../../../packages/console/scripts/application.ts'

// The standard output is the log of the server.
const report = (line: string) => process.stderr.write(`${line}\n`)

report('Starting from source')
// Halves the time of later starts.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)))
await buildIfChanged({ onBuild: () => report('Building the console') }).catch((error: unknown) => {
  report(`The console is not up to date, because its build failed: ${String(error)}`)
})
await import('../src/main.ts')
