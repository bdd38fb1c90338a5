import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  const problems: string[] = []
  for (const name of secretAddresses) {
    const file = join(folder, name)
    if (environment[name] || !existsSync(file)) continue
    try {
      found[name] = withoutNewline(readFileSync(file, 'utf8'))
    } catch (error) {
      problems.push(
        `${name} cannot be read in SECRETS_DIR: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
      )
    }
  }
  return { environment: { ...environment, ...found }, problems }
}
