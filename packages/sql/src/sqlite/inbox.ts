import type { CompleteInbox } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { createInbox } from '../inbox/inbox.ts'
import type { InboxTables } from '../internal/tables.ts'
import { estimateBytes } from '../inbox/stored.ts'
import type { CommitQueue } from './commit-queue.ts'
import { toSettlementFields } from './fields.ts'

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

/** Creates an inbox that writes through the group commit and reads through the query thread. */
export function sqliteInbox(
  { commits, kysely }: { readonly commits: CommitQueue; readonly kysely: Kysely<InboxTables> },
  { now = Date.now, newToken, onError }: SqliteInboxOptions = {},
): CompleteInbox {
  return createInbox(
    kysely,
    {
      record(delivery, body, lease) {
        const at = now()
        return commits.run<'record'>(
          {
            kind: 'record',
            at,
            ...delivery,
            lease: lease && { token: lease.token, endsAt: at + lease.leaseMs },
          },
          { bytes: estimateBytes(delivery), body },
        )
      },

      claim(work, limits, { token, leaseMs }) {
        const at = now()
        return commits.run<'claim'>({
          kind: 'claim',
          at,
          work,
          ...limits,
          lease: { token, endsAt: at + leaseMs },
        })
      },

      settle: (work, settlements) =>
        commits.run<'settle'>({
          kind: 'settle',
          at: now(),
          work,
          settlements: toSettlementFields(settlements),
        }),

      forwarded: (ids, duplicates) => commits.run<'forward'>({ kind: 'forward', at: now(), ids, duplicates }),

      failQueued: (failures, isFinal) =>
        commits.run<'fail-queued'>({ kind: 'fail-queued', at: now(), failures, isFinal }),

      async resolve(id, events, lease) {
        const at = now()
        const bytes = events.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
        const held = lease && { token: lease.token, endsAt: at + lease.leaseMs }
        const known = await commits.run<'resolve'>(
          { kind: 'resolve', at, id, events, lease: held },
          { bytes },
        )
        return known ?? undefined
      },

      replay: (request) => commits.run<'replay'>({ kind: 'replay', at: now(), ...request }),

      makeDue: (limit, route) => commits.run<'make-due'>({ kind: 'make-due', at: now(), limit, route }),

      erase: (id) => commits.run<'erase'>({ kind: 'erase', at: now(), id }),

      now: () => Promise.resolve(now()),

      remove: (removal) => commits.run<'prune'>({ kind: 'prune', removal }),

      async ping() {
        await commits.run({ kind: 'ping' })
      },
    },
    newToken,
    onError,
  )
}
