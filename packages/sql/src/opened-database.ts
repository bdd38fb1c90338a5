import type { AnyProvider, CompleteInbox } from '@sallyport/webhooks'
import type { Consumer, ConsumerOptions, ConsumerStore } from '@sallyport/webhooks/consumer'
import type { ReplayJobStore } from '@sallyport/webhooks/replay-jobs'
import type { Kysely } from 'kysely'
import type { EmbeddedBus } from './bus/bus.ts'
import type { KeyRotation } from './encryption/rotate-keys.ts'
import type { Once } from './internal/once.ts'
import type { DatabaseQueue } from './queue/queue.ts'
import type { RowSearch } from './rows/row-search.ts'
import type { WebhookStores } from './stores.ts'

/** What both databases have. */
export interface OpenedDatabase<Tables, InboxOptions, BusOptions> extends WebhookStores {
  readonly kysely: Kysely<Tables>
  /** Limits the searches of lists of `createRepository` and `openAccounts`. */
  readonly search: RowSearch
  /**
   * Creates an inbox. All inboxes of a database, in any number of processes, share the same data. Closing an inbox leaves the
   * database open.
   */
  readonly inbox: (options?: InboxOptions) => CompleteInbox
  /** Creates an embedded bus. */
  readonly bus: (options?: BusOptions) => EmbeddedBus
  /**
   * Creates a consumer of the embedded bus. Processes with the same name share the events: one of them receives them, and
   * another one takes over within 30 seconds after a crash. Stop the consumer before the database is closed.
   *
   * @throws TypeError if an option is out of range
   */
  readonly consumer: <Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
    options: ConsumerOptions<Providers>,
  ) => Consumer
  /** Creates the store of the consumers of the embedded bus, for operators. */
  readonly consumers: () => ConsumerStore
  /** Creates a shared queue. */
  readonly queue: () => DatabaseQueue
  /** Creates a store of replay jobs. */
  readonly replayJobs: () => ReplayJobStore
  /** Reasons why acknowledged data is at risk, such as the file system or `fsync = off`, for a log; usually empty. */
  readonly warnings: readonly string[]
  /**
   * Makes the handler of a consumer run once per event. The function does slow work, and returns the step that writes the
   * effects in a short transaction, over a connection of its own:
   *
   * ```ts
   * import { openSqlite } from '@sallyport/sql/sqlite'
   *
   * const database = await openSqlite({ path: './data/sallyport.db' })
   * const countDoor = database.once('doors', ({ data }: { id: string; data: { door: string } }) => (transaction) => {
   *   const db = transaction.$extendTables<{ rings: { door: string } }>()
   *   return db.insertInto('rings').values(data).execute()
   * })
   * ```
   */
  readonly once: Once<Tables>
  /**
   * Wraps the keys of all encrypted values by the first of the encryption keys, so that the others can be removed. Processes may run
   * meanwhile if they have the first key. An interrupted call is continued by the next one.
   */
  readonly rotateKeys: () => Promise<KeyRotation>
  /** Closes the inboxes, finishes running operations, and ends the connections, but not a pool of yours. */
  readonly close: () => Promise<void>
}
