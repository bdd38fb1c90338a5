import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNotText, notText, secretText } from './secret-text.ts'

/** The text of the file in the folder; undefined when there is none. */
export function readSecretFile(folder: string, name: string): string | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(join(folder, name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  return secretText(bytes)
}

/** What a file that is there and cannot be used is reported as. */
export const unreadable = (name: string, error: unknown): string =>
  isNotText(error)
    ? `${name} in SECRETS_DIR ${notText}`
    : `${name} cannot be read in SECRETS_DIR: ${codeOf(error)}`

/** Why no file of the folder can be read: without this, each would count as one that there is not. */
export function folderProblems(folder: string): readonly string[] {
  try {
    // Names are known, so that it need not be a folder whose names may be listed.
    accessSync(`${folder}/.`, constants.X_OK)
    return []
  } catch (error) {
    return [`SECRETS_DIR cannot be read: ${codeOf(error)}`]
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'
