import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { SettleBatch } from '../dispatch/attempt.ts'
import { soon } from '../dispatch/soon.ts'
import type { ClaimedWork, DispatcherInbox, LaneResult, LaneSettlement, Settlement } from '../ports/ports.ts'
import type { Unit } from './unit.ts'

interface SettlerOptions {
  readonly inbox: Pick<DispatcherInbox, 'settleLanes'>
  /** Settles events without a lane. */
  readonly settleEvents: SettleBatch
  /** Called when events of lanes are published, whose notifications may be due. */
  readonly onLanesDone: () => void
  readonly leaseMs: number
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** The outcome of an event, or the end of a lease without one. */
export interface Conclusion {
  readonly work: ClaimedWork
  /** Undefined when the event is settled. */
  readonly outcome: Settlement['outcome'] | undefined
  /** Whether the lease of a lane ends. */
  readonly releases: boolean
  readonly pauses?: boolean
  /** After which time a lane without an attempt is due, in milliseconds. */
  readonly afterMs?: number
}

/** Settles the conclusion of a unit, after its earlier conclusions. */
export type Settle = (unit: Unit, conclusion: Conclusion) => Promise<LaneResult>

interface Entry {
  readonly unit: Unit
  readonly conclusion: Conclusion
  readonly resolve: (result: LaneResult) => void
  failures: number
}

/** How long the settlements wait after a failure of the inbox, in milliseconds. */
const pauseMs = 500
/** After 15 seconds of failures, the lease of an event may end, and the event is handled again. */
const mostFailures = 30
const unsettled: LaneResult = { isSettled: false, isDue: false }

/**
 * Creates the function that settles conclusions in batches: those of one turn of the event loop, and those that arrive during
 * the settlement of others. While the inbox is unavailable, the settlements wait and are repeated in their order, so that a
 * handler that succeeded does not run again.
 */
export function createSettler(options: SettlerOptions): Settle {
  const { settleEvents, leaseMs, onError } = options
  const settleLanes = createLaneSettler(options)
  let pending: Entry[] = []
  let isFlushing = false

  async function settleUnits(entries: readonly Entry[]): Promise<readonly LaneResult[]> {
    const works = entries.map(({ conclusion: { work } }) => work)
    const settled = await settleEvents(entries.flatMap(toSettlement), works)
    return entries.map((_, index) => ({ isSettled: settled[index] === true, isDue: false }))
  }

  /** Settles entries, and returns those that have to be settled again. */
  async function write(entries: readonly Entry[], settle: typeof settleUnits): Promise<readonly Entry[]> {
    if (entries.length === 0) return []
    try {
      const results = await withDeadline(leaseMs, settle(entries))
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] ?? unsettled)
      return []
    } catch (error) {
      callHook(onError, error)
      return entries.filter(isRepeated)
    }
  }

  async function flush(): Promise<void> {
    while (pending.length > 0) {
      const entries = pending
      pending = []
      const isLane = ({ unit: { lane } }: Entry) => lane !== undefined
      const events = entries.filter((entry) => !isLane(entry))
      const failed = await Promise.all([
        write(entries.filter(isLane), settleLanes),
        write(events, settleUnits),
      ])
      pending = [...failed.flat(), ...pending]
      if (failed.flat().length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    isFlushing = false
  }

  return (unit, conclusion) =>
    new Promise((resolve) => {
      pending.push({ unit, conclusion, resolve, failures: 0 })
      if (isFlushing) return
      isFlushing = true
      soon(() => void flush())
    })
}

/** Creates the function that settles the entries of each lane together. */
function createLaneSettler({ inbox, onLanesDone }: SettlerOptions) {
  return async (entries: readonly Entry[]): Promise<readonly LaneResult[]> => {
    const byUnit = Map.groupBy(entries, ({ unit }) => unit)
    const units = [...byUnit.keys()]
    const results = await inbox.settleLanes?.([...byUnit.values()].map(toLaneSettlement))
    if (entries.some(isDone)) onLanesDone()
    return entries.map(({ unit }) => results?.[units.indexOf(unit)] ?? unsettled)
  }
}

const isDone = ({ conclusion: { outcome, afterMs } }: Entry) =>
  outcome === undefined ? afterMs === undefined : outcome.status === 'done'

/** Counts a failure. An entry ends with its unit, and after too many failures. */
function isRepeated(entry: Entry): boolean {
  entry.failures++
  const isRepeated = !entry.unit.ending.hasEnded() && entry.failures < mostFailures
  if (!isRepeated) entry.resolve(unsettled)
  return isRepeated
}

function toSettlement({ unit, conclusion: { work, outcome } }: Entry): readonly Settlement[] {
  return outcome === undefined ? [] : [{ id: work.event.id, lease: unit.held.lease, outcome }]
}

function toLaneSettlement(entries: readonly Entry[]): LaneSettlement {
  const [first] = entries
  const { lane = '', held } = (first as Entry).unit
  const has = (name: 'releases' | 'pauses') => entries.some(({ conclusion }) => conclusion[name] === true)
  return {
    name: lane,
    lease: held.lease,
    settlements: entries.flatMap(toSettlement),
    releases: has('releases'),
    ...(has('pauses') && { pauses: true }),
    afterMs: Math.max(...entries.map(({ conclusion: { afterMs = 0 } }) => afterMs)),
  }
}
