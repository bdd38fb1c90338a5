import type { Kysely } from 'kysely'
import type { Operations } from '../operations.ts'
import type { InboxTables } from '../tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** What the inboxes and buses of a database share. */
export interface Storage {
  readonly kysely: Kysely<InboxTables>
  /** Finished before the connections are closed. */
  readonly operations: Operations
  readonly maxConnections: number
  readonly wakeUps: WakeUps
}
