import { sql } from 'kysely'
import { maxFailures } from '../inbox/stored.ts'
import type { WriteTransaction } from './transaction.ts'

/** A failure to publish an event. */
interface PublishFailure {
  /** The sequence of the event. */
  readonly sequence: number | undefined
  readonly error: string
}

/** Stores the failures of events to publish, one per event, and keeps the newest of each event. */
export async function addFailures(
  { db, at }: Pick<WriteTransaction, 'db' | 'at'>,
  failures: readonly PublishFailure[],
): Promise<void> {
  const rows = failures.map(
    ({ sequence, error }) => sql`(cast(${sequence} as bigint), cast(${error} as text))`,
  )
  const newest = sql`(select max(number) from failures f where f.work = 'publish' and f.event =`
  await sql`insert into failures (event, work, number, at, error)
    select column1, 'publish', 1 + coalesce(${newest} column1), 0), cast(${at} as bigint), column2
    from (values ${sql.join(rows)}) as failed`.execute(db)
  const sequences = sql.join(failures.map(({ sequence }) => sequence))
  await sql`delete from failures where work = 'publish' and event in (${sequences})
    and number <= ${newest} failures.event) - ${sql.lit(maxFailures)}`.execute(db)
}
