import type Database from 'better-sqlite3'
import { reservedMs } from '../deliveries/lanes.ts'

interface NextEvent {
  readonly due_at: number
  readonly since: number
  readonly attempts: number
}

/** The order of an index: the first event of a lane is the next one. */
export const laneEvents = `from events e where e.lane = ? and e.status = 'pending' order by e.lane_place, e.sequence`

/** A row of `lanes`. Lanes are updated by their row: those that are claimed together are close to each other there. */
export interface LaneRow {
  readonly rowid: number
  readonly name: string
}

export interface LaneRelease {
  /** Returns when the next event of a lane is due, or undefined for a lane without pending events. */
  readonly nextDueAt: (lane: LaneRow, at: number) => number | undefined
  /** Ends the lease of a lane, and deletes a lane without pending events unless it is paused. Returns as `nextDueAt`. */
  readonly release: (lane: LaneRow, at: number, afterMs?: number) => number | undefined
}

/** Prepares the statements that end the lease of a lane. */
export function prepareLaneRelease(connection: Database.Database): LaneRelease {
  const findNext = connection.prepare<[name: string], NextEvent>(
    `select e.due_at, e.since, e.attempts ${laneEvents} limit 1`,
  )
  const free = `lease = null, lease_ends_at = case when @afterMs > 0 then @at + @afterMs when reserved_until - @at between 1 and ${reservedMs} then reserved_until end,
    reserved_until = null, version = version + 1`
  const wait = connection.prepare(
    `update lanes set due_at = @due, since = @since, attempts = @attempts, ${free} where rowid = @rowid`,
  )
  const remove = connection.prepare('delete from lanes where rowid = ? and paused_at is null')
  const keepPaused = connection.prepare(`update lanes set ${free} where rowid = @rowid`)
  // An event that began in the future is due: the clock was set back.
  const dueAt = ({ due_at, since }: NextEvent, at: number) => (since > at ? at : Math.max(at, due_at))

  return {
    nextDueAt({ name }, at) {
      const next = findNext.get(name)
      return next && dueAt(next, at)
    },
    release({ name, rowid }, at, afterMs = 0) {
      const next = findNext.get(name)
      if (next === undefined) {
        if (remove.run(rowid).changes === 0) keepPaused.run({ at, afterMs: 0, rowid })
        return undefined
      }
      const due = dueAt(next, at)
      wait.run({ at, due, since: Math.min(next.since, at), attempts: next.attempts, afterMs, rowid })
      return Math.max(at + afterMs, due)
    },
  }
}
