import { SallyportError } from '@sallyport/errors'

/** Whether a statement was refused because a unique value is taken: by SQLite or by PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
}

/** Whether a statement was refused because what it refers to is not there. */
function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
}

/**
 * For a statement that refers to something which was there a moment ago: whoever wrote it has looked.
 *
 * @throws SallyportError 409 `CONFLICT` when it no longer is; everything else as it was
 */
export function refuseDangling(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error
  throw new SallyportError('CONFLICT', 'What this refers to has just been deleted', { cause: error })
}

/** Whether a transaction was rolled back for the sake of others: to end a deadlock, or to keep their order. */
export function isRolledBackForOthers(error: unknown): boolean {
  return hasCode(error, ['40P01', '40001'])
}

/** Whether a statement has waited for a lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, ['55P03'])
}

/**
 * Whether a database refused a statement for a reason that passes: a deadlock, a lost serialization, a lock timeout, a
 * statement timeout, an idle transaction, a busy file, or insufficient resources (class 53, such as too many connections).
 */
export function isTemporary(error: unknown): boolean {
  if (isRolledBackForOthers(error) || isLockTimeout(error)) return true
  if (hasCode(error, ['57014', '25P03', 'SQLITE_BUSY'])) return true
  return error instanceof Error && /^53[0-9A-Z]{3}$/.test(String((error as { code?: unknown }).code))
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && codes.includes(code)
}
