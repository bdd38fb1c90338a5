import { SallyportError } from '@sallyport/errors'
import type { Migration } from 'kysely/migration'

type Migrations = Readonly<Record<string, Migration>>

const tooNewCode = 'DATABASE_TOO_NEW'

/** Lists the applied migrations that a process with the known migrations does not understand. */
export function findUnknown(applied: readonly string[], known: Migrations): readonly string[] {
  return applied.filter((name) => !Object.hasOwn(known, name) && !isMarked(name, known))
}

/** Adds the applied migrations that are understood but not known: a migrator rejects unknown ones. */
export function withUnderstood(known: Migrations, applied: readonly string[]): Migrations {
  const later = applied.filter((name) => isMarked(name, known))
  return { ...Object.fromEntries(later.map((name) => [name, nothing])), ...known }
}

const nothing: Migration = { up: () => Promise.resolve() }

/**
 * Whether the name is marked as understood by a version that has one of the known migrations: `0022-width@0021-doors` is
 * understood by every version that has `0021-doors`.
 */
function isMarked(name: string, known: Migrations): boolean {
  const mark = name.indexOf('@')
  return mark !== -1 && Object.hasOwn(known, name.slice(mark + 1))
}

export function databaseTooNew(unknown: readonly string[]): SallyportError {
  return new SallyportError(
    tooNewCode,
    `The database was migrated by a newer version (${unknown.join(', ')}): run that version, or restore a backup`,
    { status: 503 },
  )
}

export const isTooNew = (error: unknown): boolean => (error as { code?: unknown }).code === tooNewCode
