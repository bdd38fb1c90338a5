import { readRow } from '@sallyport/internal/destination-row'
import { callHook } from '@sallyport/internal/promises'
import type { Attempt } from '../dispatch/attempt.ts'
import { toRowEvent } from '../destinations/row-event.ts'
import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { ClaimedWork, LaneResult } from '../ports/ports.ts'
import { isHandled, type createEventAttempt, type RunResult } from './attempt-event.ts'
import type { Leases } from './leases.ts'
import type { Conclusion, Settle } from './settler.ts'
import type { Slots } from './slots.ts'
import { isTransactional } from '../ports/transactional.ts'
import { LeaseLostError, type Unit } from './unit.ts'

interface RunUnitOptions {
  readonly slots: Slots
  readonly leases: Leases
  readonly leaseMs: number
  readonly settle: Settle
  readonly attempt: ReturnType<typeof createEventAttempt>
  readonly findHandler: (work: ClaimedWork | undefined) => CheckedHandler | undefined
  /** Whether a dead letter pauses its lane. */
  readonly pausesLanes: boolean
  readonly isRunning: () => boolean
  /** Called when a slot may be free. */
  readonly onRoom: () => void
  /** Called when a lane has further work that is due. */
  readonly onLaneDue: () => void
  /** Called with the result of each run. */
  readonly onResult: (work: ClaimedWork, result: RunResult) => void
  readonly onAttempt: ((attempt: Attempt) => unknown) | undefined
}

/** How long a lane keeps its slot while further events follow, in milliseconds; then other lanes have their turn. */
const turnMs = 1000

/**
 * Creates the function that runs the events of a unit one after the other. It has the slots of the unit and of its first
 * handler.
 *
 * The next event of a lane begins while the one before is settled: a crash repeats the events of one settlement, in their
 * order. A transactional handler begins after the settlement, because a crash does not repeat what it committed. A failed
 * event ends the turn of its lane: the store decides when the lane is due again, and a run that outlives its timeout has no
 * valid lease.
 */
export function createUnitRun(options: RunUnitOptions): (unit: Unit) => Promise<void> {
  const { slots, leases, leaseMs, settle, attempt, findHandler, isRunning, onRoom, onLaneDue, onAttempt } =
    options
  /** A process that was suspended must not begin an event that another process may have. */
  const hasLease = (unit: Unit) => unit.leaseAge() <= leaseMs

  /** Takes the next event of the unit with the slot of its handler, if the unit goes on. */
  function takeNext(unit: Unit, result: RunResult): ClaimedWork | undefined {
    const goesOn = isHandled(result) && isRunning() && unit.age() < turnMs && hasLease(unit)
    return goesOn && slots.enter(findHandler(unit.works[0])) ? unit.works.shift() : undefined
  }

  function report(work: ClaimedWork, outcome: Attempt['outcome']): void {
    const row = toRowEvent(work.event)
    callHook(onAttempt, { work: 'publish', ...row, attempts: work.attempts + 1, outcome })
  }

  async function conclude(unit: Unit, conclusion: Conclusion): Promise<LaneResult> {
    const { work, outcome = done } = conclusion
    const result = await settle(unit, conclusion)
    if (outcome.status !== 'released') report(work, result.isSettled ? outcome : { status: 'lost' })
    if (result.isDue && conclusion.releases) onLaneDue()
    return result
  }

  /** Settles a run after which the lane goes on. */
  async function goOn(unit: Unit, work: ClaimedWork, result: RunResult): Promise<void> {
    if (typeof result !== 'object') {
      report(work, done)
      return
    }
    const { isSettled } = await conclude(unit, { work, outcome: result, releases: false })
    if (!isSettled) leases.lose(unit)
  }

  /** Settles the last run of the unit, and ends its lease. */
  async function end(unit: Unit, work: ClaimedWork, result: RunResult): Promise<void> {
    const isLost = result === 'lost' || (result === 'ended' && unit.ending.reason instanceof LeaseLostError)
    if (isLost) report(work, { status: 'lost' })
    else if (result === 'ended')
      await conclude(unit, { work, outcome: { status: 'released' }, releases: true })
    else if (result === 'settled' && unit.lane === undefined) report(work, done)
    else {
      const outcome = result === 'settled' ? undefined : result
      const isOfHandler = readRow(work.event.id).destination === undefined
      const pauses = options.pausesLanes && isOfHandler && outcome?.status === 'dead'
      await conclude(unit, { work, outcome, releases: true, pauses })
    }
  }

  const isCommitting = (handler: CheckedHandler | undefined) =>
    handler !== undefined && isTransactional(handler.handle)

  return async (unit) => {
    if (!hasLease(unit)) leases.lose(unit)
    for (let work = unit.works.shift(); work !== undefined;) {
      const result = await attempt(unit, work, findHandler(work))
      slots.leave(findHandler(work))
      options.onResult(work, result)
      const next = takeNext(unit, result)
      if (next === undefined) slots.give()
      onRoom()
      if (next) {
        const settling = goOn(unit, work, result)
        if (isCommitting(findHandler(next))) await settling
      } else await end(unit, work, result)
      work = next
    }
    leases.delete(unit)
  }
}

const done = { status: 'done' } as const
