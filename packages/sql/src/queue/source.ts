import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SallyportError } from '@sallyport/errors'
import { decodeEvent, type ConsumerSource, type ReceivedMessage } from '@sallyport/webhooks/consumer'
import type { Kysely } from 'kysely'
import { createConsumerLease } from '../bus/lease.ts'
import { databaseClock } from '../internal/clock.ts'
import type { Vault } from '../encryption/vault.ts'
import { openEvent, requireKeys } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'

/** How long the events belong to a process that does not renew its lease, in milliseconds. */
const leaseMs = 15_000
/** The pause of a process after it found no event, and of one without the lease. */
const emptyMs = 200
const standbyMs = 1000

interface Lease {
  readonly token: string
  /** When the lease ends unless it is renewed, on the clock of `performance.now`. */
  endsAt: number
  /** The sequence of the last received event. */
  received: number
}

/** Creates the source of a consumer of the queue. One process has the lease; settled events are deleted. */
export function createQueueSource(
  {
    kysely: db,
    schema,
    vault,
  }: { readonly kysely: Kysely<InboxTables>; readonly schema: SchemaCheck; readonly vault: Vault },
  consumer: string,
): ConsumerSource {
  const row = createConsumerLease(db, databaseClock(db), { table: 'queue_consumers', consumer, leaseMs })
  let lease: Lease | undefined
  let settled: number[] = []
  let deleting: Promise<void> = Promise.resolve()
  let nextDelete: Promise<void> | undefined

  async function take(): Promise<Lease | undefined> {
    const token = randomUUID()
    const endsAt = performance.now() + leaseMs
    return (await row.take(token)) ? { token, endsAt, received: 0 } : undefined
  }

  async function renew(held: Lease): Promise<void> {
    const endsAt = performance.now() + leaseMs
    if (await row.renew(held.token)) {
      held.endsAt = endsAt
      return
    }
    if (lease === held) lease = undefined
    throw new SallyportError('SERVICE_UNAVAILABLE', 'Another process has taken over the shared queue')
  }

  /** Deletes the settled events. Concurrent calls share one statement. */
  function deleteSettled(): Promise<void> {
    nextDelete ??= deleting
      .catch(() => undefined)
      .then(() => {
        nextDelete = undefined
        return (deleting = deleteAll())
      })
    return nextDelete
  }

  async function deleteAll(): Promise<void> {
    const sequences = settled
    settled = []
    try {
      await db.deleteFrom('queued_events').where('sequence', 'in', sequences).execute()
    } catch (error) {
      settled.unshift(...sequences)
      throw error
    }
  }

  function toReceived(held: Lease, { sequence, ...copy }: QueuedRow): ReceivedMessage {
    const remove = async () => {
      settled.push(sequence)
      await deleteSettled()
    }
    return {
      decode: () => decodeEvent(JSON.parse(openEvent(copy, vault))),
      deliveries: 0,
      ack: remove,
      // The inbox has the event, and enqueues it again.
      deadLetter: remove,
      // The event stays for the next process.
      release: () => Promise.resolve(),
      isLost: () => lease !== held,
    }
  }

  async function receive(limit: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]> {
    const held = (lease ??= await take())
    if (held === undefined) {
      await pause(standbyMs, signal)
      return []
    }
    // Also renews an expired lease that no other process took, for example after an outage of the database.
    if (held.endsAt - performance.now() < leaseMs / 2) await renew(held)
    // Of a statement that failed.
    if (settled.length > 0) await deleteSettled()
    const rows = await db
      .selectFrom('queued_events')
      .select(['sequence', 'id', 'event'])
      .where('sequence', '>', held.received)
      .orderBy('sequence')
      .limit(limit)
      .execute()
    requireKeys(rows, vault)
    if (rows.length === 0) await pause(emptyMs, signal)
    held.received = rows.at(-1)?.sequence ?? held.received
    return rows.map((one) => toReceived(held, one))
  }

  return {
    open: () => db.selectFrom('queue_consumers').select('name').limit(1).execute(),
    receive: (limit, signal) => schema.claim(() => receive(limit, signal)),
    renew: async () => {
      if (lease !== undefined) await renew(lease)
    },
    renewMs: leaseMs / 3,
    /** Gives up the lease, so that another process takes over at once. */
    async close() {
      const held = lease
      lease = undefined
      try {
        if (settled.length > 0) await deleteSettled()
        if (held) await row.release(held.token)
      } catch {
        // The lease ends by itself.
      }
    },
  }
}

interface QueuedRow {
  readonly sequence: number
  readonly id: string
  readonly event: string
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)
