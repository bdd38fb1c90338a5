import type { Kysely } from 'kysely'
import type { Operations } from '../operations.ts'
import type { InboxTables } from '../tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** The parts that the inboxes, buses and queues of a database share. */
export interface Storage {
  readonly kysely: Kysely<InboxTables>
  /** Database operations that finish before the connections close. */
  readonly operations: Operations
  readonly maxConnections: number
  readonly wakeUps: WakeUps
}
