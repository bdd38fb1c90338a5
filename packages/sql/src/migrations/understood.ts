import { SallyportError } from '@sallyport/errors'
import type { Migration } from 'kysely/migration'

type Migrations = Readonly<Record<string, Migration>>

const tooNewCode = 'DATABASE_TOO_NEW'

/**
 * Lists the applied migrations that a process with the known migrations does not understand.
 *
 * A release has one migration, which is additive: the release before it understands it. The name of a migration can say otherwise
 * after an `@`: `0023-width@0021-doors` is understood by every version that has `0021-doors`, and `0023-drop@` by no
 * older one.
 */
export function findUnknown(applied: readonly string[], known: Migrations): readonly string[] {
  const later = applied.filter((name) => !Object.hasOwn(known, name)).sort()
  const latest = Object.keys(known).sort().at(-1)
  const next = later.find((name) => latest !== undefined && name > latest)
  return later.filter((name) => {
    const mark = name.indexOf('@')
    return mark === -1 ? name !== next : !Object.hasOwn(known, name.slice(mark + 1))
  })
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
