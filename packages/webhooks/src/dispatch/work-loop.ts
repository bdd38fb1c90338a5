import { maxTimerMs, withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { attemptRunner, type AttemptBatch } from './attempt.ts'
import { createClaims } from './claims.ts'
import { leaseAges, type LeaseAge } from './lease-age.ts'
import { createOutageDetector, type OutageDetector } from './outage.ts'
import type { ClaimedWork, DispatcherInbox, Route, Settlement, Work } from '../ports/ports.ts'
import { createLane, type WorkLane } from './work-lane.ts'
import { checkWorkOptions, type WorkLoopHooks, type WorkLoopOptions } from './work-options.ts'

export type { Attempt, AttemptBatch } from './attempt.ts'
export type { WorkLoopHooks, WorkLoopOptions } from './work-options.ts'

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

interface LoopOptions extends WorkLoopOptions, WorkLoopHooks {
  /** Whether work for the shared queue has attempts of its own: when it hangs, the bus goes on. @default false */
  readonly laneForQueue?: boolean
  /** Makes work due at once that waits for a retry; used after an outage and for probes during an outage. */
  readonly makeDue?: DispatcherInbox['makeDue'] | undefined
  /**
   * The longest wait before a retry during an outage, in milliseconds, for a source that cannot make work due. Claims are
   * then limited to one batch for each poll until the outage ends.
   */
  readonly outageWaitMs?: number
  /** After how long a queued event is due again, in milliseconds. @default 600,000 */
  readonly redeliverAfterMs?: number
}

interface Lane extends WorkLane {
  readonly outage: OutageDetector
  /** The route of the work in the lane; undefined for either. */
  readonly route: Route | undefined
}

/** Where work comes from and how it ends: an inbox, or what takes the part of one. */
export type WorkSource = Pick<DispatcherInbox, 'claim' | 'settle'>

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
  const { makeDue, outageWaitMs } = options
  const startLease = leaseAges(now, monotonicNow)

  const load = { events: 0, bytes: 0 }
  const isRunning = () => !stopped
  let pumpsSoon = false
  let stopped = true

  function openLane(route?: Route): Lane {
    const outage = createOutageDetector(startLease, () => {
      if (makeDue !== undefined) claims.poll()
    })
    const lane = createLane({
      ...{ batchSize, concurrency, load, isRunning, onError },
      run: attemptRunner({
        ...{ work, source, attemptBatch, leaseMs, timeoutMs, startLease, now, random, onAttempt, onError },
        ...{ backoff, isRunning, outage },
        longestWaitMs: () => (outage.isDown ? outageWaitMs : undefined),
      }),
      onIdle: () => {
        claims.pollBacklog()
      },
    })
    return { ...lane, outage, route }
  }

  const hasQueueLane = options.laneForQueue === true
  const direct = openLane(hasQueueLane ? 'direct' : undefined)
  const queued = hasQueueLane ? openLane('queue') : direct
  const lanes = [...new Set([direct, queued])]
  const laneOf = ({ route }: ClaimedWork): WorkLane => (route === 'queue' ? queued : direct)
  const isSlow = () => outageWaitMs !== undefined && direct.outage.isDown

  async function makeRetriesDue(limit: number): Promise<void> {
    if (makeDue === undefined) return
    for (const { outage, route } of lanes) {
      const asked = outage.countToMakeDue(limit)
      if (asked === 0) continue
      try {
        const count = await withDeadline(leaseMs, makeDue({ limit: asked, ...(route && { route }) }))
        outage.madeDue(count, asked)
      } catch (error) {
        callHook(onError, error)
      }
    }
  }

  function room() {
    const { limit, maxBytes } = direct.room()
    return { limit: isSlow() ? Math.min(limit, batchSize) : limit, maxBytes }
  }

  const claims = createClaims({
    ...{ leaseMs, pollMs, startLease, release, onError },
    longestDelayMs: Math.max(leaseMs, backoff?.maximumMs ?? 3_600_000, options.redeliverAfterMs ?? 600_000),
    claim: (how) => source.claim(work, how),
    // What goes directly decides how much is claimed: what a claim brings cannot be chosen by its way.
    ...{ room, prepare: makeRetriesDue, isSlow },
    take(claimed, leaseAge) {
      const queueTakes = queued.room().limit > 0
      // What a queue that hangs has no room for is due again when its lease ends: given back, it would be claimed at once.
      const taken = claimed.filter((one) => queueTakes || laneOf(one) === direct)
      add(taken, leaseAge, true)
      return taken.length
    },
  })

  function add(works: readonly ClaimedWork[], leaseAge: LeaseAge, isClaimed = false): void {
    if (stopped) {
      void release(works)
      return
    }
    for (const one of works) laneOf(one).push({ work: one, leaseAge, isClaimed })
    // What a commit or a turn of the event loop brings goes in one batch, whose costs it shares.
    if (pumpsSoon) return
    pumpsSoon = true
    soon(() => {
      pumpsSoon = false
      pump()
    })
  }

  function pump(): void {
    for (const lane of lanes) lane.pump()
  }

  async function release(works: readonly ClaimedWork[]): Promise<void> {
    try {
      if (works.length === 0) return
      const outcome = { status: 'released' } as const
      const released = works.map(({ event, lease }): Settlement => ({ id: event.id, lease, outcome }))
      await source.settle(work, released)
    } catch (error) {
      callHook(onError, error)
    }
  }

  return {
    load,
    startLease,
    get running() {
      return !stopped
    },
    add,
    wake: claims.poll,
    start() {
      stopped = false
      pump()
      claims.start()
    },
    async stop(graceMs = timeoutMs) {
      if (typeof graceMs !== 'number' || Number.isNaN(graceMs))
        throw new TypeError('graceMs must be a number')
      stopped = true
      const claiming = claims.stop()
      const running = lanes.flatMap((lane) => [...lane.running])
      const ended = Promise.all([claiming, ...running, release(lanes.flatMap((lane) => lane.clear()))])
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise(
        (resolve) => (timer = setTimeout(resolve, Math.max(0, Math.min(graceMs, maxTimerMs)))),
      )
      await Promise.race([ended, patience])
      clearTimeout(timer)
    },
  }
}

/** When the work of this turn of the event loop has come in, where the runtime can tell. */
function soon(step: () => void): void {
  if ('setImmediate' in globalThis) setImmediate(step)
  else queueMicrotask(step)
}
