import type { Route } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { knownProviders } from './providers.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

interface WaitingRow {
  readonly sequence: number
  readonly received_at: number
}

/**
 * Makes events due that wait for a retry, oldest first; skips events that another transaction has locked.
 *
 * @returns how many events became due
 */
export async function makeEventsDue(
  transaction: WriteTransaction,
  limit: number,
  route: Route | undefined,
): Promise<number> {
  const { db, at } = transaction
  const waiting: WaitingRow[] = []
  for (const provider of await knownProviders(db))
    waiting.push(...(await findWaiting(transaction, provider, limit, route)))
  const oldest = waiting
    .sort((a, b) => a.received_at - b.received_at || a.sequence - b.sequence)
    .slice(0, limit)
  for (const some of splitIntoPortions(oldest))
    await sql`update events set due_at = case when since < ${at} then since else ${at} end
      where sequence in (${sql.join(some.map(({ sequence }) => sequence))})`.execute(db)
  return oldest.length
}

/** Finds the oldest waiting events of a provider in the order of an index, which has neither finished nor queued events. */
export async function findWaiting(
  { db, at, lock }: WriteTransaction,
  provider: string,
  limit: number,
  route: Route | undefined,
): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select sequence, received_at from events
    where provider = ${provider} and status = 'pending' and attempts > 0 and lease is null and due_at > ${at}
      ${route === undefined ? sql`` : sql`and route = ${route}`}
    order by provider, status, received_at, delivery limit ${limit} ${lock('for no key update skip locked')}`.execute(
    db,
  )
  return rows
}
