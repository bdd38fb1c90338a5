import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The end of the message for a secret that is not UTF-8 text. */
export const notText = 'is not text in UTF-8: use text, such as the output of "openssl rand -hex 32"'

/**
 * Decodes a secret as UTF-8. Random bytes are rejected: most invalid bytes would become the same replacement character.
 *
 * @throws Error with the code `NOT_UTF8`
 */
export function decodeSecret(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw Object.assign(new Error(`The secret ${notText}`), { code: 'NOT_UTF8' })
  }
}

const isNotText = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'NOT_UTF8'

/** Reads a secret from its file; undefined if the file does not exist. */
export function readSecretFile(folder: string, name: string): string | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(join(folder, name))
  } catch (error) {
    if (getCode(error) === 'ENOENT') return undefined
    throw error
  }
  return decodeSecret(bytes)
}

/** Describes an existing file that cannot be used, without its content. */
export const describeUnreadable = (folderName: string, name: string, error: unknown): string =>
  isNotText(error)
    ? `${name} in ${folderName} ${notText}`
    : `${name} cannot be read in ${folderName}: ${getCode(error)}`

const getCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

export const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '')
