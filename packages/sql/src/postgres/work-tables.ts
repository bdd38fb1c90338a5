import type { Work } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'

/** Where each kind of work is kept: `w` is an alias of its table. */
interface WorkTable {
  readonly table: RawBuilder<unknown>
  /** The sequence of the event that it is about. */
  readonly event: RawBuilder<number>
  /** Whether it has not ended: the term of the partial index, word for word. */
  readonly open: RawBuilder<boolean>
}

export const workTables: Readonly<Record<Work, WorkTable>> = {
  publish: {
    table: sql`events`,
    event: sql`w.sequence`,
    open: sql`w.status in ('pending', 'queued')`,
  },
  notify: {
    table: sql`notifications`,
    event: sql`w.event`,
    open: sql`w.status = 'pending'`,
  },
}

/**
 * The event of a key, for a lateral join.
 *
 * The limit keeps the planner from another way than the whole key: where it knows nothing of a young table, it would
 * read all keys of events, however many they are.
 */
export const eventOf = (key: RawBuilder<unknown>): RawBuilder<{ event: number }> =>
  sql`(select event from idempotency_keys where scope = 'event' and key = ${key} limit 1)`
