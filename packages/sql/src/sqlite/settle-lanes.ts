import type { LaneResult, LaneSettlement, Settlement } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import { toAwaitedTargets } from '../inbox/awaited-targets.ts'
import { toResponseJson } from '../inbox/attempt-response.ts'
import { prepareFailures } from './failures.ts'
import { readSettlements, type SettlementFields } from './fields.ts'
import { prepareLaneRelease, type LaneRow } from './lane-release.ts'
import { preparePublication } from './publication.ts'

export interface SettleLanesCommand {
  readonly at: number
  readonly lanes: readonly (Omit<LaneSettlement, 'settlements'> & {
    readonly settlements: SettlementFields
  })[]
}

type Outcome = Settlement['outcome']

/** Settles events of lanes, each only under the lease of its lane, and ends or keeps the leases. */
export function prepareSettleLanes(
  connection: Database.Database,
): (command: SettleLanesCommand) => LaneResult[] {
  const findLane = connection.prepare<[name: string, lease: string], LaneRow & { isPaused: 0 | 1 }>(
    'select rowid, name, paused_at is not null as isPaused from lanes where name = ? and lease = ?',
  )
  const pause = connection.prepare('update lanes set paused_at = coalesce(paused_at, ?) where rowid = ?')
  // The plus prevents SQLite from planning the join again for each parameter value, which takes longer than the join.
  const isOpen = `e.lane = +? and e.status = 'pending' and e.id = k.key`
  const findEvent = connection
    .prepare<[id: string, lane: string], number>(
      `select e.sequence from idempotency_keys k join events e on e.sequence = k.event
       where k.scope = 'event' and k.key = +? and ${isOpen}`,
    )
    .pluck()
  const beginPublication = preparePublication<[lane: string]>(connection, isOpen)
  const postpone = connection.prepare(
    `update events set attempts = attempts + @attempts, due_at = @dueAt,
       lane_place = case lane_place when sequence then sequence else @dueAt end
     where sequence = @sequence`,
  )
  const markDead = connection.prepare(
    `update events set status = 'dead', attempts = attempts + 1 where sequence = ?`,
  )
  const setTargets = connection.prepare('update events set awaited_targets = ? where sequence = ?')
  const storeFailure = prepareFailures(connection)
  const { release, nextDueAt } = prepareLaneRelease(connection)

  function end(sequence: number, outcome: Exclude<Outcome, { status: 'done' }>, at: number): void {
    switch (outcome.status) {
      case 'retry':
        postpone.run({ attempts: 1, dueAt: at + outcome.afterMs, sequence })
        setTargets.run(toAwaitedTargets(outcome.targets), sequence)
        storeFailure('publish', sequence, at, outcome.error, toResponseJson(outcome))
        break
      case 'dead':
        markDead.run(sequence)
        storeFailure('publish', sequence, at, outcome.error, toResponseJson(outcome))
        break
      case 'released':
        if (outcome.afterMs) postpone.run({ attempts: 0, dueAt: at + outcome.afterMs, sequence })
        break
      case 'queued':
        throw new TypeError('An event of a lane is never queued')
    }
  }

  return ({ at, lanes }) => {
    const publication = beginPublication(at)
    const results = lanes.map(({ name, lease, settlements, releases, ...ending }): LaneResult => {
      const { pauses = false, afterMs = 0 } = ending
      const lane = findLane.get(name, lease)
      if (lane === undefined) return { isSettled: false, isDue: false }
      for (const { id, outcome } of readSettlements(settlements)) {
        if (outcome.status === 'done') {
          publication.publish(id, outcome.duplicate === true, name)
          continue
        }
        const sequence = findEvent.get(id, name)
        if (sequence !== undefined) end(sequence, outcome, at)
      }
      if (pauses) pause.run(at, lane.rowid)
      const dueAt = (releases ? release(lane, at, afterMs) : nextDueAt(lane, at)) ?? Infinity
      return { isSettled: true, isDue: !pauses && lane.isPaused === 0 && dueAt <= at }
    })
    publication.finish()
    return results
  }
}
