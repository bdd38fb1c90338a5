import type Database from 'better-sqlite3'
import { dataBytes } from '../inbox/data-bytes.ts'
import type { ClaimedLaneRow, LaneLimits } from '../inbox/lanes.ts'
import { claimQueries } from './claim.ts'
import { laneEvents, prepareLaneRelease, type LaneRow } from './lane-release.ts'
import type { Lease } from './record.ts'
import { createClockWatch, prepareLaneReschedule } from './reschedule.ts'

export interface ClaimLanesCommand extends LaneLimits {
  readonly at: number
  readonly lease: Lease
}

interface DueEvent {
  readonly sequence: number
  readonly due_at: number
  readonly since: number
  readonly attempts: number
  readonly bytes: number | null
}

interface TakenLane {
  readonly lane: LaneRow
  readonly events: readonly DueEvent[]
}

// The condition and the order of partial indexes, verbatim.
export const laneQueries = {
  due: `select rowid, name from lanes where paused_at is null and coalesce(lease_ends_at, due_at) <= ?
    order by coalesce(lease_ends_at, due_at), rowid limit ? offset ?`,
  next: `select e.sequence, e.due_at, e.since, e.attempts, ${dataBytes} as bytes ${laneEvents} limit ?`,
} as const

/** Leases lanes with due events, those that wait longest first. */
export function prepareClaimLanes(
  connection: Database.Database,
): (command: ClaimLanesCommand) => ClaimedLaneRow[] {
  const findDue = connection.prepare<[at: number, limit: number, offset: number], LaneRow>(laneQueries.due)
  const listNext = connection.prepare<[name: string, limit: number], DueEvent>(laneQueries.next)
  const read = connection.prepare<[sequence: number], ClaimedLaneRow>(claimQueries.publish.read)
  const correct = connection.prepare(
    'update events set since = min(since, @at), due_at = min(due_at, @at) where sequence = @sequence',
  )
  const hold = connection.prepare(
    'update lanes set lease = ?, lease_ends_at = ?, since = ?, attempts = ? where rowid = ?',
  )
  const { release } = prepareLaneRelease(connection)
  const reschedule = prepareLaneReschedule(connection)
  const hasMovedBack = createClockWatch()

  /** Whether an event is due too late: the clock was set back. */
  const isLate = ({ due_at, since }: DueEvent, { at, longestDelayMs = Infinity }: ClaimLanesCommand) =>
    since > at || due_at > at + longestDelayMs

  /** Returns the next events of a lane up to the first that is not due. */
  function listDue(name: string, command: ClaimLanesCommand): readonly DueEvent[] {
    const next = listNext.all(name, command.events)
    const end = next.findIndex((event) => event.due_at > command.at && !isLate(event, command))
    return end < 0 ? next : next.slice(0, end)
  }

  function takeDue(command: ClaimLanesCommand): readonly TakenLane[] {
    const { at, limit, maxBytes = Infinity } = command
    const taken: TakenLane[] = []
    let bytes = 0
    const fits = (event: DueEvent, isFirst: boolean) => {
      bytes += event.bytes ?? 0
      return isFirst || bytes <= maxBytes
    }
    for (;;) {
      // Taken lanes are still the first ones: the others that were found are due later now.
      const lanes = findDue.all(at, limit - taken.length, taken.length)
      if (lanes.length === 0) return taken
      for (const lane of lanes) {
        const due = listDue(lane.name, command)
        const end = due.findIndex((event, index) => !fits(event, taken.length + index === 0))
        if (due.length === 0) release(lane, at)
        else if (end !== 0) taken.push({ lane, events: end < 0 ? due : due.slice(0, end) })
        if (end >= 0) return taken
      }
    }
  }

  /** Where nothing is due, lanes may wait for a time that the clock has to reach again. */
  function takeLanes(command: ClaimLanesCommand): readonly TakenLane[] {
    const taken = takeDue(command)
    if (taken.length > 0 || command.limit === 0 || !hasMovedBack(command.at)) return taken
    if (reschedule(command) === 0) return taken
    hasMovedBack.reset()
    return takeDue(command)
  }

  return (command) => {
    const { at, lease } = command
    return takeLanes(command).flatMap(({ lane: { rowid, name }, events }) => {
      const [first] = events
      hold.run(lease.token, lease.endsAt, Math.min(first?.since ?? at, at), first?.attempts ?? 0, rowid)
      return events.flatMap((event) => {
        const { sequence } = event
        if (isLate(event, command)) correct.run({ at, sequence })
        const row = read.get(sequence)
        return row ? { ...row, lane: name } : []
      })
    })
  }
}
