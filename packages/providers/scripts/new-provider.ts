/**
 * Writes the folder of a new provider, whose tests fail until it is filled in and say what to do next. Run it with
 * `npm run new:provider <name>`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFiles } from './generate.ts'
import { scaffold } from './scaffold.ts'

const root = new URL('../', import.meta.url)

const {
  positionals: [name],
} = parseArgs({ allowPositionals: true })

try {
  const files = scaffold(name ?? '')
  const folder = new URL(`src/${name ?? ''}/`, root)
  // Fails when it is there.
  await mkdir(folder)
  for (const [path, text] of files) {
    const file = new URL(path, folder)
    await mkdir(dirname(file.pathname), { recursive: true })
    await writeFile(file, text)
  }
  for (const [path, text] of await generatedFiles()) await writeFile(new URL(path, root), text)
  process.stdout.write(
    `packages/providers/src/${name ?? ''} is there. From now on this tells what to do next:

  npm test -- packages/providers/src/${name ?? ''} packages/providers/src/generated.test.ts

docs/guides/add-a-provider.md has the reasons.\n`,
  )
} catch (error) {
  const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
  const reason = isThere ? `packages/providers/src/${name ?? ''} is there already` : (error as Error).message
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
