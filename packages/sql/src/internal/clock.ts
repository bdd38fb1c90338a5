import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Creates an SQL expression for the current time, in whole milliseconds since the epoch. */
export type Clock = () => RawBuilder<number>

/**
 * Returns the clock of the database, on which processes on several machines agree.
 *
 * On PostgreSQL the clock advances within a statement, so that a check after a wait for a lock uses the time after the
 * wait.
 *
 * @throws TypeError for a database that is neither SQLite nor PostgreSQL
 */
export function databaseClock<Tables>(db: Kysely<Tables>): Clock {
  const present = currentTime(db)
  return () => present
}

/** Returns a clock over a function of the caller. */
export function fixedClock(now: () => number): Clock {
  return () => sql<number>`cast(${Math.trunc(now())} as bigint)`
}

// The syntax of references and parameters identifies the dialect, even a custom one.
function currentTime<Tables>(db: Kysely<Tables>): RawBuilder<number> {
  switch (sql`${sql.ref('a')} ${1}`.compile(db).sql) {
    case '"a" $1':
      return sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`
    case '"a" ?':
      return sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    default:
      throw new TypeError('The database has to be SQLite or PostgreSQL')
  }
}
