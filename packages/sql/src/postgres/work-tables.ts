import type { Work } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'

/** The table of a kind of work, with the alias `w`. */
interface WorkTable {
  readonly table: RawBuilder<unknown>
  /** The sequence of the event of the work. */
  readonly event: RawBuilder<number>
  /** Whether the work is unfinished: the condition of the partial index, verbatim. */
  readonly open: RawBuilder<boolean>
}

export const workTables: Readonly<Record<Work, WorkTable>> = {
  publish: {
    table: sql`events`,
    event: sql`w.sequence`,
    open: sql`w.status in ('pending', 'queued') and w.lane is null`,
  },
  notify: {
    table: sql`notifications`,
    event: sql`w.event`,
    open: sql`w.status = 'pending'`,
  },
}

/**
 * Selects the event of a key, for a lateral join.
 *
 * The limit forces a lookup by the whole key: without statistics of a new table, the planner would scan all keys of
 * events.
 */
export const selectEventOfKey = (key: RawBuilder<unknown>): RawBuilder<{ event: number }> =>
  sql`(select event from idempotency_keys where scope = 'event' and key = ${key} limit 1)`
