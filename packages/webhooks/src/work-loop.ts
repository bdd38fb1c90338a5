import { retryDelay } from './backoff.ts'
import type { InternalEvent } from './event.ts'
import { describeFailure } from './describe-failure.ts'
import { leaseAges, type LeaseAge } from './lease-age.ts'
import { longestTimer } from './options.ts'
import type { ClaimedWork, Inbox, PublishResult, Settlement, Work } from './ports.ts'
import { tell } from './tell.ts'
import { within, withTimeout } from './timeout.ts'
import { createLane, roomIn, type Held, type WorkLane } from './work-lane.ts'
import { checkWorkOptions, type WorkLoopOptions } from './work-options.ts'

export type { WorkLoopOptions } from './work-options.ts'

/** One attempt's end, for logs and metrics. */
export interface Attempt {
  readonly work: Work
  readonly event: InternalEvent
  readonly attempts: number
  /** `lost`: the lease had passed to somebody else, who tries again. */
  readonly outcome: Settlement['outcome'] | { readonly status: 'lost' }
}

export interface WorkLoopHooks {
  /** Told of every attempt once it is settled. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Told when the inbox cannot be asked or settled; the loop goes on. */
  readonly onError?: (error: unknown) => unknown
}

export interface WorkLoop {
  /** What is held in memory: waiting for an attempt, or in one. */
  readonly load: { readonly events: number; readonly bytes: number }
  /** Begins the lease of work that is about to be asked for. */
  startLease(): LeaseAge
  /** Whether it was started and not stopped. */
  readonly running: boolean
  /** Takes over work that is leased already. */
  add(works: readonly ClaimedWork[], leaseAge: LeaseAge): void
  /** Asks the inbox now instead of at the next poll. */
  wake(): void
  start(): void
  /** Begins nothing more, releases what has not begun, and waits for that and the attempts under way, so long at most. */
  stop(graceMs?: number): Promise<void>
}

/** What becomes of one event: it is published, or left to the shared queue for so long, or neither. */
export type AttemptResult =
  PublishResult | { readonly ok: true; readonly queued: { readonly redeliverAfterMs: number } }

/** What becomes of a batch of work, one answer for each piece in its order. */
export type AttemptBatch = (
  works: readonly ClaimedWork[],
  signal: AbortSignal,
) => Promise<readonly AttemptResult[]>

interface LoopOptions extends WorkLoopOptions, WorkLoopHooks {
  /** Whether work for the shared queue has attempts of its own: when it hangs, the bus goes on. @default false */
  readonly laneForQueue?: boolean
}

/** Where work comes from and how it ends: an inbox, or what takes the part of one. */
export type WorkSource = Pick<Inbox, 'claim' | 'settle'>

/**
 * Takes leased work through attempts in batches: done, tried again later, or given up as a dead letter.
 *
 * An attempt begins only while more of its lease is left than it may take: work whose lease could end under it is
 * left for whoever claims it next.
 *
 * @throws TypeError for an option that is none, and when an attempt may take as long as a lease lasts
 */
export function createWorkLoop(
  work: Work,
  source: WorkSource,
  attemptBatch: AttemptBatch,
  options: LoopOptions = {},
): WorkLoop {
  const { leaseMs, timeoutMs, batchSize, concurrency, pollMs } = checkWorkOptions(options)
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { now = Date.now, random = Math.random, monotonicNow, backoff, onAttempt, onError } = options
  const startLease = leaseAges(now, monotonicNow)

  const direct = createLane()
  const queued = options.laneForQueue === true ? createLane() : direct
  const lanes = [...new Set([direct, queued])]
  const running = new Set<Promise<void>>()
  const load = { events: 0, bytes: 0 }
  let polling: Promise<void> | undefined
  let pollTimer: ReturnType<typeof setTimeout> | undefined
  let backlog = false
  let pollAgain = false
  let pumpsSoon = false
  let stopped = true

  const laneOf = ({ route }: ClaimedWork): WorkLane => (route === 'queue' ? queued : direct)

  function add(works: readonly ClaimedWork[], leaseAge: LeaseAge, isClaimed = false): void {
    if (stopped) {
      void release(works)
      return
    }
    for (const one of works) {
      const lane = laneOf(one)
      lane.waiting.push({ work: one, leaseAge, isClaimed })
      count(lane, one, isClaimed, 1)
    }
    // What a commit or a turn of the event loop brings goes in one batch, whose costs it shares.
    if (pumpsSoon) return
    pumpsSoon = true
    soon(() => {
      pumpsSoon = false
      pump()
    })
  }

  function count(lane: WorkLane, { bytes = 0 }: ClaimedWork, isClaimed: boolean, by: 1 | -1): void {
    load.events += by
    load.bytes += by * bytes
    if (isClaimed) lane.claimedBytes += by * bytes
  }

  function forget(lane: WorkLane, batch: readonly Held[]): void {
    for (const held of batch) count(lane, held.work, held.isClaimed, -1)
  }

  function pump(): void {
    for (const lane of lanes) {
      while (!stopped && lane.attempts < concurrency && lane.waiting.length > 0) begin(lane)
    }
  }

  function begin(lane: WorkLane): void {
    const taken = lane.waiting.splice(0, batchSize)
    lane.attempts++
    const attempt = run(taken).finally(() => {
      running.delete(attempt)
      lane.attempts--
      forget(lane, taken)
      pump()
      if (backlog && lane.waiting.length === 0) poll()
    })
    running.add(attempt)
  }

  async function run(taken: readonly Held[]): Promise<void> {
    const batch = taken.filter(({ leaseAge }) => leaseMs - leaseAge() > timeoutMs).map((held) => held.work)
    if (batch.length === 0) return
    let failure: AttemptResult = { ok: false, retryable: true, error: 'No answer for this event' }
    let answers: readonly AttemptResult[] | undefined
    try {
      answers = await withTimeout(timeoutMs, (signal) => attemptBatch(batch, signal))
    } catch (error) {
      failure = { ok: false, retryable: true, error: describeFailure(error) }
    }
    const settlements = batch.map((claimed, index): Settlement => {
      const result = answers?.[index] ?? failure
      return { id: claimed.event.id, lease: claimed.lease, outcome: outcomeOf(claimed, result) }
    })
    let held: readonly boolean[]
    try {
      // Longer than the lease, nothing can be learned: somebody else may hold it by then.
      held = await within(leaseMs, source.settle(work, settlements))
    } catch (error) {
      // It is due again when its lease ends, and is then published under the same id.
      tell(onError, error)
      return
    }
    for (const [index, { event, attempts }] of batch.entries()) {
      const settled = (settlements[index] as Settlement).outcome
      // The queue may have brought it to the bus already, which ends the lease.
      const outcome = held[index] === true || settled.status === 'queued' ? settled : lost
      tell(onAttempt, { work, event, attempts: attempts + 1, outcome })
    }
  }

  function outcomeOf({ attempts, since }: ClaimedWork, result: AttemptResult): Settlement['outcome'] {
    if (result.ok) return 'queued' in result ? { status: 'queued', ...result.queued } : { status: 'done' }
    const afterMs = result.retryable
      ? retryDelay(attempts, now() - since, random, backoff, result.retryAfterMs)
      : undefined
    const error = reasonOf(result.error)
    return afterMs === undefined ? { status: 'dead', error } : { status: 'retry', afterMs, error }
  }

  function poll(): void {
    clearTimeout(pollTimer)
    if (stopped) return
    if (polling) {
      // What became due since the question was asked is not in its answer.
      pollAgain = true
      return
    }
    polling = claim().finally(() => {
      polling = undefined
      if (stopped) return
      pollTimer = setTimeout(poll, pollAgain ? 0 : pollMs)
      pollAgain = false
    })
  }

  async function claim(): Promise<void> {
    // What goes directly decides how much is claimed: what a claim brings cannot be chosen by its way.
    const { events: limit, bytes: maxBytes } = roomIn(direct, batchSize * concurrency)
    if (limit === 0) {
      backlog = true
      return
    }
    const queueTakes = roomIn(queued, batchSize * concurrency).events > 0
    const leaseAge = startLease()
    try {
      const claimed = await within(leaseMs, source.claim(work, { limit, leaseMs, maxBytes }))
      if (stopped) {
        await release(claimed)
        return
      }
      // Where there was work, there may be more, however many bytes it was.
      backlog = claimed.length > 0
      // What a queue that hangs has no room for is due again when its lease ends: given back, it would be claimed at once.
      const taken = claimed.filter((one) => queueTakes || laneOf(one) === direct)
      if (taken.length === 0) pollAgain ||= backlog
      add(taken, leaseAge, true)
    } catch (error) {
      backlog = false
      tell(onError, error)
    }
  }

  async function release(works: readonly ClaimedWork[]): Promise<void> {
    if (works.length === 0) return
    const released = works.map(({ event, lease }): Settlement => {
      return { id: event.id, lease, outcome: { status: 'released' } }
    })
    try {
      await source.settle(work, released)
    } catch (error) {
      tell(onError, error)
    }
  }

  return {
    load,
    startLease,
    get running() {
      return !stopped
    },
    add,
    wake: poll,
    start() {
      stopped = false
      pump()
      poll()
    },
    async stop(graceMs = timeoutMs) {
      if (typeof graceMs !== 'number' || Number.isNaN(graceMs))
        throw new TypeError('graceMs must be a number')
      stopped = true
      clearTimeout(pollTimer)
      const left = lanes.flatMap((lane) => {
        const waiting = lane.waiting.splice(0)
        forget(lane, waiting)
        return waiting
      })
      const ended = Promise.all([polling, ...running, release(left.map((held) => held.work))])
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise(
        (resolve) => (timer = setTimeout(resolve, Math.min(graceMs, longestTimer))),
      )
      await Promise.race([ended, patience])
      clearTimeout(timer)
    },
  }
}

const lost = { status: 'lost' } as const

/** What is no text cannot be stored, and would keep all that was published beside it from being settled. */
const reasonOf = (error: unknown): string => (typeof error === 'string' ? error : describeFailure(error))

/** When the work of this turn of the event loop has come in, where the runtime can tell. */
function soon(step: () => void): void {
  if ('setImmediate' in globalThis) setImmediate(step)
  else queueMicrotask(step)
}
