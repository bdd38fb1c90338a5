import { sql, type Kysely, type RawBuilder } from 'kysely'

/** An expression for the present, in whole milliseconds since the epoch. */
export type Clock = () => RawBuilder<number>

/**
 * The database's own clock: processes on several machines agree on it, whatever their own clocks say.
 *
 * On PostgreSQL it goes on within a statement, so that what is checked after the wait for a lock is checked by the
 * time after the wait.
 *
 * @throws TypeError for a database that is neither SQLite nor PostgreSQL
 */
export function databaseClock<Tables>(db: Kysely<Tables>): Clock {
  const present = presentOf(db)
  return () => present
}

/** A clock of the caller's. */
export function fixedClock(now: () => number): Clock {
  return () => sql<number>`cast(${Math.trunc(now())} as bigint)`
}

// How a dialect writes a reference and a parameter says which one it is, also of one that somebody else wrote.
function presentOf<Tables>(db: Kysely<Tables>): RawBuilder<number> {
  switch (sql`${sql.ref('a')} ${1}`.compile(db).sql) {
    case '"a" $1':
      return sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`
    case '"a" ?':
      return sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    default:
      throw new TypeError('The database has to be SQLite or PostgreSQL')
  }
}
