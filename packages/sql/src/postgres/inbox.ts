import type { CompleteInbox, Work } from '@sallyport/webhooks'
import { sql } from 'kysely'
import type { ClaimedRow } from '../inbox/claimed.ts'
import { createInbox, type Recorded, type SettleResult } from '../inbox/inbox.ts'
import { estimateBytes } from '../inbox/stored.ts'
import { databaseClock, fixedClock } from '../internal/clock.ts'
import type { CommitLimits } from '../internal/commit-limits.ts'
import { sealBody } from '../encryption/seal.ts'
import { BatchQueue } from '../internal/batch-queue.ts'
import { claimWork, findLastServed } from './claim.ts'
import { compress } from '../inbox/compress.ts'
import type { Storage } from './connections.ts'
import { waitForDisk } from './durable.ts'
import { postgresLanes } from './lanes.ts'
import { createLastRecorded } from './last-recorded.ts'
import { recordDeliveries, type RecordItem } from './record.ts'
import { createRescheduling, rescheduleWork } from './reschedule.ts'
import { settleNotifications, splitExpiredBatches } from './notification-batches.ts'
import { forwardEvents, gatherEndings, settleWork, type SettleItem } from './settle.ts'
import { writeOnce, writeTogether } from './write.ts'

export interface PostgresInboxOptions {
  /** Milliseconds since the epoch, for tests. @default the clock of the database, on which all processes agree */
  readonly now?: () => number
  /** Creates the token of a lease; tokens must be unique. @default a random UUID */
  readonly newToken?: () => string
  /** Bounds of the deliveries that wait to be recorded. */
  readonly limits?: CommitLimits
  /**
   * Called for an unreadable event, which becomes a dead letter or loses its notification, and for the unreadable body of
   * a delivery. The message names the id. Errors of the callback are ignored.
   */
  readonly onError?: (error: unknown) => unknown
}

/** Creates an inbox that records in batches and runs every other operation as one statement. */
export function postgresInbox(
  storage: Storage,
  { now, newToken, limits, onError }: PostgresInboxOptions = {},
): CompleteInbox {
  const { kysely, operations, maxConnections, wakeUps, bodyEvents, schema, vault, bodies, readHashes } =
    storage
  const clock = now === undefined ? databaseClock(kysely) : fixedClock(now)
  const records = new BatchQueue<RecordItem, readonly Recorded[]>(
    (items) => writeTogether(items, (some) => recordDeliveries(kysely, clock, some)),
    // The other connections are for settlements and for all other operations.
    { ...limits, concurrency: Math.ceil(maxConnections / 5) },
  )
  const settleQueues = { publish: createSettleQueue('publish'), notify: createSettleQueue('notify') }

  function createSettleQueue(work: Work) {
    return new BatchQueue<readonly SettleItem[], readonly SettleResult[]>(
      (calls) => writeTogether(calls, (some) => settleTogether(some, work)),
      // Settlements add no work: the claims bound them.
      { concurrency: 2, gather: gatherEndings, waiting: Infinity, waitingBytes: Infinity },
    )
  }
  async function settleTogether(
    batches: readonly (readonly SettleItem[])[],
    work: Work,
  ): Promise<readonly (readonly SettleResult[])[]> {
    const items = batches.flat()
    const results =
      work === 'publish'
        ? await settleWork(kysely, clock, 'publish', items)
        : await settleNotifications(kysely, clock, items)
    let end = 0
    return batches.map(({ length }) => results.slice(end, (end += length)))
  }

  let lastClaim: Promise<unknown> = Promise.resolve()
  const rescheduling = {
    publish: createWorkRescheduling('publish'),
    notify: createWorkRescheduling('notify'),
  }
  function createWorkRescheduling(work: Work) {
    return createRescheduling<ClaimedRow>((last, leaseMs, longestDelayMs) =>
      writeOnce(() => rescheduleWork(kysely, clock, work, { last, leaseMs, longestDelayMs })),
    )
  }
  const lastServed = { publish: '', notify: '' }
  const write = <T>(statement: () => Promise<T>) => operations.run(() => writeOnce(statement))
  /** Notifies other processes when a result leaves work for them. */
  async function notifyAfter<T>(work: Work, result: Promise<T>, isLeft: (result: T) => boolean): Promise<T> {
    const known = await result
    if (isLeft(known)) wakeUps.notify(work)
    return known
  }

  return createInbox(
    kysely,
    {
      record: (delivery, body, lease) =>
        operations.run(() => {
          const bodyLength = body instanceof Uint8Array ? body.byteLength : body.bytes.byteLength
          const recorded = records.add(estimateBytes(delivery) + bodyLength, async () => ({
            delivery,
            lease,
            body: body instanceof Uint8Array ? sealBody(await compress(body), delivery) : body,
          }))
          return notifyAfter('publish', recorded, (results) => results.includes('new'))
        }),

      // Claims are serialized: concurrent claims would skip each other's locked rows and return less.
      claim: (work, limits, lease) =>
        operations.run(() => {
          const claiming = lastClaim.then(async () => {
            const before = lastServed[work]
            if (work === 'notify') await writeOnce(() => splitExpiredBatches(kysely, clock))
            const claiming = () => writeOnce(() => claimWork(kysely, clock, work, limits, lease, before))
            const rows = await rescheduling[work](claiming, { ...limits, leaseMs: lease.leaseMs })
            lastServed[work] = findLastServed(rows, before)
            return rows
          })
          lastClaim = claiming.catch(() => undefined)
          return claiming
        }),

      settle: (work, settlements, lease) =>
        notifyAfter(
          work,
          operations.run(() =>
            settleQueues[work].add(0, () => settlements.map((settlement) => ({ settlement, lease }))),
          ),
          (results) =>
            settlements.some(
              ({ outcome }, index) => outcome.status === 'released' && results[index] !== 'lost',
            ),
        ),

      forwarded: (ids, duplicates) =>
        notifyAfter(
          'notify',
          write(() => forwardEvents(kysely, clock, ids, duplicates)),
          (forwarded) => forwarded.includes(true),
        ),

      transaction: (run) =>
        write(() =>
          kysely
            .transaction()
            .setIsolationLevel('read committed')
            .execute(async (db) => {
              const { rows } = await sql<{ at: number }>`select ${clock()} as at, ${waitForDisk}`.execute(db)
              return run({ db, at: rows[0]?.at ?? 0, lock: (clause) => sql.raw(clause) })
            }),
        ),

      notifyOthers: (work) => {
        wakeUps.notify(work)
      },

      async now() {
        const { rows } = await sql<{ at: number }>`select ${clock()} as at`.execute(kysely)
        return rows[0]?.at ?? 0
      },

      lanes: postgresLanes(storage, clock),

      lastRecorded: createLastRecorded(kysely),

      async ping() {
        // A lock that never blocks: a read-only standby rejects it.
        const proof = sql`select from sequences where name = 'published' for key share`
        await write(() => proof.execute(kysely))
      },
    },
    { newToken, onError, bodyEvents, schema, vault, bodies, readHashes },
  )
}
