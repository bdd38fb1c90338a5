import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generatedFiles } from './generate.ts'
import { scaffold } from './scaffold.ts'

/**
 * Writes the folder of a new provider and what is generated from all folders: everything, or nothing where it fails.
 *
 * @param root the package's folder
 * @throws TypeError for a name that no provider can have; Error when the folder is there already, or another one keeps
 *   the lists from being generated
 */
export async function addProvider(name: string, root: URL): Promise<void> {
  const files = scaffold(name)
  const folder = new URL(`src/${name}/`, root)
  await mkdir(folder).catch((error: unknown) => {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw isThere ? new Error(`packages/providers/src/${name} is there already`) : error
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
    // Left there, it would be in the way of every later run.
    await rm(folder, { recursive: true })
    for (const [path, text] of before) {
      const file = new URL(path, root)
      // The one that cannot be written is as it was.
      await (text === undefined ? rm(file) : writeFile(file, text)).catch(() => undefined)
    }
    throw error
  }
}
