/**
 * Writes the folder of a new provider, whose tests fail until it is filled in and say what to do next. Run it with
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
    `packages/providers/src/${name} is there. From now on this tells what to do next:

  npm test -- packages/providers/src/${name} packages/providers/src/generated.test.ts

docs/guides/add-a-provider.md has the reasons.\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
