import { folderProblems, readSecretFile, unreadable } from './secrets-folder.ts'
import { withoutNewline } from './secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings whose addresses may hold a password or a key, and may therefore be files of `SECRETS_DIR` as well. */
export const secretAddresses = ['DATABASE_URL', 'BUS_URL', 'QUEUE_URL'] as const

/** The environment, with the addresses that it lacks from the files of their names in `SECRETS_DIR`. */
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
