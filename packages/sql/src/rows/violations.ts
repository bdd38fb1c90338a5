import { SallyportError } from '@sallyport/errors'

/** Reports whether SQLite or PostgreSQL rejected a duplicate value. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
}

/** Reports whether the database rejected a reference to a missing row. */
function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
}

/**
 * Handles the error of a statement whose referenced row existed a moment ago.
 * @throws SallyportError 409 `CONFLICT` for a deleted row; other errors unchanged
 */
export function rejectDanglingReference(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error
  throw new SallyportError('CONFLICT', 'A referenced resource was deleted a moment ago', { cause: error })
}

/** Reports whether a transaction was rolled back because of a deadlock or a serialization failure. */
export function isRolledBackForOthers(error: unknown): boolean {
  return hasCode(error, ['40P01', '40001'])
}

/** Reports whether a statement reached its lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, ['55P03'])
}

/**
 * Reports whether the error of a statement is temporary: a deadlock, a lost serialization, a lock timeout, a
 * statement timeout, an idle transaction, a read-only database (a standby, or a server with a full disk), a busy file, or
 * insufficient resources (class 53, such as too many connections).
 */
export function isTemporary(error: unknown): boolean {
  if (isRolledBackForOthers(error) || isLockTimeout(error)) return true
  if (hasCode(error, ['57014', '25P03', '25006', 'SQLITE_BUSY', 'SQLITE_FULL'])) return true
  return error instanceof Error && /^53[0-9A-Z]{3}$/.test(String((error as { code?: unknown }).code))
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && codes.includes(code)
}
