import { setTimeout as sleep } from 'node:timers/promises'
import { SallyportError } from '@sallyport/errors'
import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'

/** The time for transactions that are open at the first call, in milliseconds. */
const firstWaitMs = 5000
/** The number of reads of a later call, and the pause between two reads. */
const retries = { reads: 3, pauseMs: 10 }

interface Reading {
  /** The last number that the sequence returned. */
  readonly last: number
  /** The transactions that are open and have taken a number. */
  readonly open: readonly string[]
}

/**
 * Creates a function that returns a sequence up to which no delivery can appear later.
 *
 * A transaction takes its numbers before its commit, so that a lower number can appear after a higher one. `nextval` keeps a
 * lock on the sequence until the end of the transaction. After all transactions have ended that have the lock at one moment,
 * each number that the sequence had returned before this moment is visible, or never will be.
 *
 * Recording needs nothing for this: no column, no index, and no order of commits.
 */
export function createLastRecorded(
  db: Kysely<InboxTables>,
  firstMs: number = firstWaitMs,
): () => Promise<number> {
  let confirmed: number | undefined
  /** A reading whose transactions may still be open. */
  let candidate: Reading | undefined
  let running: Promise<number> | undefined

  /** @returns whether no transaction was open */
  async function read(): Promise<boolean> {
    const reading = await readSequence(db)
    const open = candidate?.open.filter((one) => reading.open.includes(one)) ?? []
    if (candidate !== undefined && open.length > 0) {
      candidate = { last: candidate.last, open }
      return false
    }
    if (candidate !== undefined) confirmed = candidate.last
    if (reading.open.length > 0) {
      candidate = reading
      return false
    }
    candidate = undefined
    confirmed = reading.last
    return true
  }

  async function run(): Promise<number> {
    const deadline = performance.now() + firstMs
    for (let reads = 1; !(await read()); reads += 1) {
      const isOver = confirmed === undefined ? performance.now() > deadline : reads >= retries.reads
      if (isOver) break
      await sleep(retries.pauseMs)
    }
    if (confirmed !== undefined) return confirmed
    throw new SallyportError(
      'SERVICE_UNAVAILABLE',
      'A transaction that records a delivery stays open: try again after its end',
    )
  }

  // Concurrent calls share a reading.
  return () =>
    (running ??= run().finally(() => {
      running = undefined
    }))
}

/** Reads the number before the locks: the opposite order would miss a transaction that begins in between. */
async function readSequence(db: Kysely<InboxTables>): Promise<Reading> {
  const { rows } = await sql<Reading>`
    with drawn as materialized (
      select coalesce(pg_sequence_last_value('deliveries_sequence_seq'::regclass), 0) as last
    )
    select drawn.last, array(
      select l.virtualtransaction from pg_locks l
      where drawn.last is not null and l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
        and l.relation = 'deliveries_sequence_seq'::regclass
        and l.database = (select oid from pg_database where datname = current_database())
    ) as open from drawn`.execute(db)
  return rows[0] ?? { last: 0, open: [] }
}
