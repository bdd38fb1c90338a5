/**
 * Writes the folder of a new provider. Its tests fail until it is complete and name the next step. Run it with
 * `npm run new:provider <name>`.
 */
import { parseArgs } from 'node:util'
import { addProvider } from './add-provider.ts'

const {
  positionals: [name = ''],
} = parseArgs({ allowPositionals: true })

try {
  await addProvider(name, new URL('../', import.meta.url))
  process.stdout.write(
    `Created packages/providers/src/${name}. This command names the next step:

  npm test -- packages/providers/src/${name} packages/providers/src/generated.test.ts

docs/guides/add-a-provider.md explains the steps.\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
