import type { Work } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import { maxFailures } from '../inbox/stored.ts'

/** Prepares a function that stores a failed attempt: the error of the event, and the latest attempts of a work item. */
export function prepareFailures(
  connection: Database.Database,
): (work: Work, event: number, at: number, error: string, response?: string | null) => void {
  const setLastError = connection.prepare('update events set last_error = ? where sequence = ?')
  const insert = connection.prepare<
    [event: number, work: Work, at: number, error: string, response: string | null],
    { number: number }
  >(
    `insert into failures (event, work, number, at, error, response)
     select f.event, f.work, 1 + coalesce((select max(number) from failures where event = f.event and work = f.work), 0),
       f.at, f.error, f.response
     from (select ? as event, ? as work, ? as at, ? as error, ? as response) f
     returning number`,
  )
  const forget = connection.prepare('delete from failures where event = ? and work = ? and number <= ?')
  return (work, event, at, error, response = null) => {
    if (work === 'publish') setLastError.run(error, event)
    const number = insert.get(event, work, at, error, response)?.number ?? 0
    if (number > maxFailures) forget.run(event, work, number - maxFailures)
  }
}
