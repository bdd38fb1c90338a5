import type { Kysely } from 'kysely'
import type { OperationTracker } from '@sallyport/internal/operation-tracker'
import type { InboxTables } from '../internal/tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** The parts that the inboxes, buses and queues of a database share. */
export interface Storage {
  readonly kysely: Kysely<InboxTables>
  /** Database operations that finish before the connections close. */
  readonly operations: OperationTracker
  readonly maxConnections: number
  readonly wakeUps: WakeUps
}
