import { accessSync, constants } from 'node:fs'
import { describeUnreadable, readSecretFile } from '@sallyport/webhooks/secret-stores'

/** Reports an unreadable folder, whose files would count as missing otherwise. */
function folderProblems(folder: string): readonly string[] {
  try {
    // Reading files by name needs no permission to list the folder.
    accessSync(`${folder}/.`, constants.X_OK)
    return []
  } catch (error) {
    return [`SECRETS_DIR cannot be read: ${String((error as NodeJS.ErrnoException).code)}`]
  }
}

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
      if (text !== undefined) found[name] = text.replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(describeUnreadable('SECRETS_DIR', name, error))
    }
  }
  return { environment: { ...environment, ...found }, problems }
}
