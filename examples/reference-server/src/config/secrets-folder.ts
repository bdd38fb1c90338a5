import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNotText, notText, decodeSecret } from './secret-text.ts'

/** Reads a secret from its file; undefined if the file does not exist. */
export function readSecretFile(folder: string, name: string): string | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(join(folder, name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  return decodeSecret(bytes)
}

/** Describes an existing file that cannot be used. */
export const unreadable = (name: string, error: unknown): string =>
  isNotText(error)
    ? `${name} in SECRETS_DIR ${notText}`
    : `${name} cannot be read in SECRETS_DIR: ${codeOf(error)}`

/** Reports an unreadable folder, whose files would count as missing otherwise. */
export function folderProblems(folder: string): readonly string[] {
  try {
    // Reading files by name needs no permission to list the folder.
    accessSync(`${folder}/.`, constants.X_OK)
    return []
  } catch (error) {
    return [`SECRETS_DIR cannot be read: ${codeOf(error)}`]
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'
