import { isSallyportError } from '@sallyport/errors'
import type { CompleteInbox } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Bodies } from '../bodies/bodies.ts'
import { readLastSequence } from '../deliveries/recorded.ts'
import { createInbox, type LeaseRequest } from '../inbox/inbox.ts'
import type { ReadHashes } from '../encryption/value-hashes.ts'
import type { Vault } from '../encryption/vault.ts'
import { inboxUnavailable } from '../internal/errors.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { isTooNew } from '../migrations/understood.ts'
import { estimateBytes } from '../inbox/stored.ts'
import type { CommitQueue } from './commit-queue.ts'
import { toSettlementFields } from './fields.ts'

/** The parts that the inboxes and buses of a file share. */
export interface Storage {
  readonly commits: CommitQueue
  readonly kysely: Kysely<InboxTables>
  readonly bodyEvents: BodyEvents
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
  readonly readHashes: ReadHashes
}

export interface SqliteInboxOptions {
  /** Milliseconds since the epoch; processes that share a file use the clock of their machine. @default Date.now */
  readonly now?: () => number
  /** Creates the token of a lease; tokens must be unique. @default a random UUID */
  readonly newToken?: () => string
  /**
   * Called for an unreadable event, which becomes a dead letter or loses its notification, and for the unreadable body of
   * a delivery. The message names the id. Errors of the callback are ignored.
   */
  readonly onError?: (error: unknown) => unknown
}

const unlimited = { isUnlimited: true }

const startLease = ({ token, leaseMs }: LeaseRequest, at: number) => ({ token, endsAt: at + leaseMs })

/** Creates an inbox that records, claims and settles through the group commit, and does the rest on the query thread. */
export function sqliteInbox(
  { commits, kysely, bodyEvents, schema, vault, bodies, readHashes }: Storage,
  { now = Date.now, newToken, onError }: SqliteInboxOptions = {},
): CompleteInbox {
  return createInbox(
    kysely,
    {
      record(delivery, body, lease) {
        const at = now()
        const isPlain = body instanceof Uint8Array
        const objectBytes = isPlain ? null : body.originalBytes
        const command = { at, ...delivery, objectBytes, lease: lease && startLease(lease, at) }
        return commits.run('record', command, {
          bytes: estimateBytes(delivery),
          body: isPlain ? body : body.bytes,
        })
      },

      claim(work, limits, lease) {
        const at = now()
        return commits.run('claim', { at, work, ...limits, lease: startLease(lease, at) })
      },

      settle(work, settlements, lease) {
        const at = now()
        const fields = toSettlementFields(settlements)
        const held = lease && startLease(lease, at)
        return commits.run('settle', { at, work, settlements: fields, lease: held }, unlimited)
      },

      lanes: {
        claim(limits, lease) {
          const at = now()
          return commits.run('claimLanes', { at, ...limits, lease: startLease(lease, at) })
        },

        settle(settlements) {
          const lanes = settlements.map((lane) => ({
            ...lane,
            settlements: toSettlementFields(lane.settlements),
          }))
          return commits.run('settleLanes', { at: now(), lanes }, unlimited)
        },

        renew: (leases, leaseMs) => commits.run('renew', { leases, endsAt: now() + leaseMs }, unlimited),
      },

      forwarded: (ids, duplicates) => commits.run('forward', { at: now(), ids, duplicates }, unlimited),

      async transaction(run) {
        try {
          return await kysely.transaction().execute((db) => run({ db, at: now(), lock: () => sql`` }))
        } catch (error) {
          if (isTooNew(error)) throw error
          throw inboxUnavailable(isSallyportError(error) ? error.cause : error)
        }
      },

      now: () => Promise.resolve(now()),

      lastRecorded: () => readLastSequence(kysely),

      async ping() {
        await commits.run('ping', null, unlimited)
      },
    },
    { newToken, onError, bodyEvents, schema, vault, bodies, readHashes },
  )
}
