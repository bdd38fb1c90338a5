import type { Settings } from './settings.ts'

/** Reports problems of the database settings. The variable PGDATABASE of the driver counts too. */
export function databaseProblems(
  { DATABASE_URL, MIGRATE }: Pick<Settings, 'DATABASE_URL' | 'MIGRATE'>,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (DATABASE_URL === undefined) {
    return MIGRATE ? [] : ['MIGRATE=0 needs DATABASE_URL: a SQLite file is always migrated at the start']
  }
  const { pathname } = new URL(DATABASE_URL)
  // By default, the driver would create the tables in the database with the name of the user.
  const isNamed = /^\/?$/.test(pathname) ? Boolean(environment['PGDATABASE']) : /[^/]/.test(pathname)
  return isNamed
    ? []
    : ['DATABASE_URL has to name the database: postgres://user:password@host:5432/database, or PGDATABASE']
}
