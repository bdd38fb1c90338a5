/** Whether a statement was refused because a unique value is taken: by SQLite or by PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
}

/** Whether a statement was refused because what it refers to is not there. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && codes.includes(code)
}
