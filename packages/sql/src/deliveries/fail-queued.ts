import type { ForwardFailure } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { addFailures } from './add-failures.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/**
 * Records failed attempts of the shared queue to publish events, regardless of their leases; final failures become dead
 * letters.
 *
 * @returns whether each event was pending or queued; the first of several failures of an event counts
 */
export async function failQueuedEvents(
  transaction: WriteTransaction,
  failures: readonly ForwardFailure[],
  isFinal: boolean,
): Promise<readonly boolean[]> {
  const firsts = new Map(failures.map((failure) => [failure.id, failure] as const).toReversed())
  const failed = new Set<ForwardFailure>()
  for (const some of splitIntoPortions([...firsts.values()]))
    for (const failure of await failSome(transaction, some, isFinal)) failed.add(failure)
  return failures.map((failure) => failed.has(failure))
}

async function failSome(
  { db, at, lock }: WriteTransaction,
  failures: readonly ForwardFailure[],
  isFinal: boolean,
): Promise<readonly ForwardFailure[]> {
  const { rows: open } = await sql<{ sequence: number; id: string }>`
    select e.sequence, e.id from idempotency_keys k join events e on e.sequence = k.event and e.id = k.key
    where k.scope = 'event' and k.key in (${sql.join(failures.map(({ id }) => id))})
      and e.status in ('pending', 'queued')
    order by e.sequence ${lock('for no key update of e')}`.execute(db)
  if (open.length === 0) return []
  const sequences = sql.join(open.map(({ sequence }) => sequence))
  const sequenceById = new Map(open.map(({ id, sequence }) => [id, sequence]))
  const failed = failures.filter(({ id }) => sequenceById.has(id))
  await addFailures(
    { db, at },
    failed.map(({ id, error }) => ({ sequence: sequenceById.get(id), error })),
  )
  const lastError = sql`(select f.error from failures f where f.event = events.sequence and f.work = 'publish'
    order by f.number desc limit 1)`
  await sql`update events set ${isFinal ? sql`status = 'dead', lease = null, lease_ends_at = null,` : sql``}
      attempts = attempts + 1, last_error = ${lastError}
    where sequence in (${sequences})`.execute(db)
  return failed
}
