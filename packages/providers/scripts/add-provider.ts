import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generatedFiles } from './generate.ts'
import { scaffold } from './scaffold.ts'

/**
 * Writes the folder of a new provider and the generated files. If a step fails, it removes everything again.
 *
 * @param root the folder of the package
 * @throws TypeError for an invalid provider name; Error when the folder exists, or another provider prevents the
 *   generation
 */
export async function addProvider(name: string, root: URL): Promise<void> {
  const files = scaffold(name)
  const folder = new URL(`src/${name}/`, root)
  await mkdir(folder).catch((error: unknown) => {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw exists ? new Error(`packages/providers/src/${name} exists already; choose another name`) : error
  })
  const before = new Map<string, string | undefined>()
  try {
    for (const [path, text] of files) {
      const file = new URL(path, folder)
      await mkdir(dirname(file.pathname), { recursive: true })
      await writeFile(file, text)
    }
    for (const [path, text] of await generatedFiles(root)) {
      const file = new URL(path, root)
      before.set(path, await readFile(file, 'utf8').catch(() => undefined))
      await writeFile(file, text)
    }
  } catch (error) {
    // A remaining folder would make every later run fail.
    await rm(folder, { recursive: true })
    for (const [path, text] of before) {
      const file = new URL(path, root)
      // A file that cannot be written is unchanged.
      await (text === undefined ? rm(file) : writeFile(file, text)).catch(() => undefined)
    }
    throw error
  }
}
