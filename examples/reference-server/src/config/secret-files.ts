import { accessSync, constants, readFileSync } from 'node:fs'
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

/** Describes an existing file that cannot be used. */
export const unreadable = (name: string, error: unknown): string =>
  isNotText(error)
    ? `${name} in SECRETS_DIR ${notText}`
    : `${name} cannot be read in SECRETS_DIR: ${getCode(error)}`

/** Reports an unreadable folder, whose files would count as missing otherwise. */
function folderProblems(folder: string): readonly string[] {
  try {
    // Reading files by name needs no permission to list the folder.
    accessSync(`${folder}/.`, constants.X_OK)
    return []
  } catch (error) {
    return [`SECRETS_DIR cannot be read: ${getCode(error)}`]
  }
}

const getCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

export const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '')

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that may contain a password or a key; files in `SECRETS_DIR` may hold them too. */
export const secretAddresses = ['DATABASE_URL', 'BUS_URL', 'QUEUE_URL', 'ALERT_URLS'] as const

/** Adds missing addresses from the files in `SECRETS_DIR` to the environment. */
export function withSecretAddresses(environment: Environment): {
  readonly environment: Environment
  readonly problems: readonly string[]
} {
  const { SECRETS_DIR: folder } = environment
  if (!folder) return { environment, problems: [] }
  const found: Record<string, string> = {}
  const problems = [...folderProblems(folder)]
  if (problems.length > 0) return { environment: { ...environment, SECRETS_DIR: undefined }, problems }
  for (const name of secretAddresses) {
    if (environment[name]) continue
    try {
      const text = readSecretFile(folder, name)
      if (text !== undefined) found[name] = withoutNewline(text)
    } catch (error) {
      problems.push(unreadable(name, error))
    }
  }
  return { environment: { ...environment, ...found }, problems }
}
