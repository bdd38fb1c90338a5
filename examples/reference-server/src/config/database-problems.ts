import type { Settings } from './settings.ts'

/** What is wrong with the choice of the database, where the driver's own variables are looked at too. */
export function databaseProblems(
  { DATABASE_URL, MIGRATE }: Pick<Settings, 'DATABASE_URL' | 'MIGRATE'>,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (DATABASE_URL === undefined) {
    return MIGRATE
      ? []
      : ['MIGRATE=0 is for PostgreSQL: a SQLite file is always brought up to date at the start']
  }
  const { pathname } = new URL(DATABASE_URL)
  // The driver would take the database that is named like the user, and tables would be made there.
  const isNamed = /^\/?$/.test(pathname) ? Boolean(environment['PGDATABASE']) : /[^/]/.test(pathname)
  return isNamed
    ? []
    : ['DATABASE_URL has to name the database: postgres://user:password@host:5432/database, or PGDATABASE']
}
