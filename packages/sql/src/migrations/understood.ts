import { SallyportError } from '@sallyport/errors'
import type { Migration } from 'kysely/migration'

type Migrations = Readonly<Record<string, Migration>>

const tooNewCode = 'DATABASE_TOO_NEW'

/**
 * Lists the applied migrations that a process with the known migrations does not understand.
 *
 * A newer migration is understood only if its name says so after an `@`: `0023-width@0021-doors` is understood by every
 * version that has `0021-doors`. A process that claimed rows of a migration without such a mark could misread them.
 */
export function findUnknown(applied: readonly string[], known: Migrations): readonly string[] {
  return applied
    .filter((name) => !Object.hasOwn(known, name))
    .filter((name) => {
      const mark = name.indexOf('@')
      return mark === -1 || !Object.hasOwn(known, name.slice(mark + 1))
    })
    .sort()
}

/** Adds the applied migrations that are understood but not known: a migrator rejects unknown ones. */
export function withUnderstood(known: Migrations, applied: readonly string[]): Migrations {
  const unknown = findUnknown(applied, known)
  const later = applied.filter((name) => !unknown.includes(name))
  return { ...Object.fromEntries(later.map((name) => [name, nothing])), ...known }
}

const nothing: Migration = { up: () => Promise.resolve() }

export function databaseTooNew(unknown: readonly string[]): SallyportError {
  return new SallyportError(
    tooNewCode,
    `The database was migrated by a newer version (${unknown.join(', ')}): run that version, or restore a backup`,
    { status: 503 },
  )
}

export const isTooNew = (error: unknown): boolean => (error as { code?: unknown }).code === tooNewCode
