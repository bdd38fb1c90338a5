import { folderProblems, readSecretFile, unreadable } from './secrets-folder.ts'
import { withoutNewline } from './secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that may contain a password or a key; files in `SECRETS_DIR` may hold them too. */
export const secretAddresses = ['DATABASE_URL', 'BUS_URL', 'QUEUE_URL'] as const

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
