import { access, rm, writeFile } from 'node:fs/promises'
import { generatedFiles } from './generate.ts'
import type { ServiceAnswers } from './questions.ts'
import { scaffold } from './scaffold.ts'

/**
 * Writes the files of a new service and the generated files.
 *
 * @param root the folder of the package
 * @throws TypeError for an invalid name; Error when the provider exists, or another provider prevents the generation
 */
export async function addProvider(name: string, answers: ServiceAnswers, root: URL): Promise<void> {
  const files = scaffold(name, answers, new Date().toISOString().slice(0, 7))
  for (const path of [`src/services/${name}.ts`, `src/neutral/${name}.ts`]) {
    const exists = await access(new URL(path, root)).then(
      () => true,
      () => false,
    )
    if (exists) throw new Error(`packages/providers/${path} exists already; choose another name`)
  }
  const written: URL[] = []
  try {
    for (const [path, text] of files) {
      const file = new URL(`src/services/${path}`, root)
      written.push(file)
      await writeFile(file, text)
    }
    // All texts exist before the first file changes.
    for (const [path, text] of await generatedFiles(root)) await writeFile(new URL(path, root), text)
  } catch (error) {
    // A remaining file would make every later run fail.
    for (const file of written) await rm(file, { force: true })
    throw error
  }
}
