import { waitAtMost, withDeadline } from '@sallyport/internal/deadline'
import { checkGrace } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createAttemptRunner, type AttemptBatch, type SettleBatch } from './attempt.ts'
import { createClaims } from './claims.ts'
import { leaseAges, type LeaseAge } from '../ports/lease-age.ts'
import { createOutages, type Outages } from './outages.ts'
import type { ClaimedWork, DispatcherInbox, Route, Settlement, Work } from '../ports/ports.ts'
import { soon } from './soon.ts'
import { createLane, type WorkLane } from './work-lane.ts'
import { checkWorkOptions, type WorkLoopHooks, type WorkLoopOptions } from './work-options.ts'

export type { Attempt, AttemptBatch } from './attempt.ts'
export type { WorkLoopOptions } from './work-options.ts'

export interface WorkLoop {
  /** The work in memory, waiting or in an attempt. */
  readonly load: { readonly events: number; readonly bytes: number }
  /** How much more work can start soon; 0 while stopped, and while more work is due than the claims have room for. */
  readonly room: number
  /** Starts the measurement of a lease. */
  startLease(): LeaseAge
  /** Whether the loop is started and not stopped. */
  readonly running: boolean
  /** Adds leased work; a stopped loop releases the work, and returns the promise. */
  add(works: readonly ClaimedWork[], leaseAge: LeaseAge, isClaimed?: boolean): Promise<void> | undefined
  /** Claims work now instead of at the next poll. */
  wake(): void
  start(): void
  /** Releases waiting work and waits for running attempts, at most for the grace period. */
  stop(graceMs?: number): Promise<void>
}

interface LoopOptions extends WorkLoopOptions, WorkLoopHooks {
  /** @default the `settle` of the source */
  readonly settleBatch?: SettleBatch | undefined
  /** Whether work for the shared queue has a separate lane, so that the bus continues when the queue hangs. @default false */
  readonly laneForQueue?: boolean
  /** After how long a queued event is due again, in milliseconds. @default 600,000 */
  readonly redeliverAfterMs?: number
}

interface Lane extends WorkLane {
  readonly outages: Outages
}

/** The source of work, such as an inbox. */
export type WorkSource = Pick<DispatcherInbox, 'claim' | 'settle' | 'makeDue'>

/**
 * Creates the loop that claims work, attempts it in batches and settles it: done, retry or dead.
 *
 * An attempt starts only while the rest of its lease is longer than its timeout. Other work is claimed again after the end of
 * its lease.
 *
 * @throws TypeError for an invalid option, and when `timeoutMs` is not less than `leaseMs`
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
  const settle: SettleBatch = options.settleBatch ?? ((settlements) => source.settle(work, settlements))
  const startLease = leaseAges(now, monotonicNow)

  const load = { events: 0, bytes: 0 }
  const isRunning = () => !stopped
  let pumpsSoon = false
  let stopped = true

  function openLane(route?: Route): Lane {
    const outages = createOutages({
      ...{ startClock: startLease, onError },
      onRecovery: () => {
        claims.poll()
      },
      async makeDue(limit, target) {
        const asked = { work, limit, ...(route && { route }), ...(target !== undefined && { target }) }
        return await withDeadline(leaseMs, source.makeDue?.(asked) ?? Promise.resolve(0))
      },
    })
    const lane = createLane({
      ...{ batchSize, concurrency, load, isRunning, onError },
      run: createAttemptRunner({
        ...{ work, settle, attemptBatch, leaseMs, timeoutMs, startLease, now, random, onAttempt, onError },
        ...{ backoff, isRunning, outages },
      }),
      onIdle: () => {
        claims.pollBacklog()
      },
    })
    return { ...lane, outages }
  }

  const hasQueueLane = options.laneForQueue === true
  const direct = openLane(hasQueueLane ? 'direct' : undefined)
  const queued = hasQueueLane ? openLane('queue') : direct
  const lanes = [...new Set([direct, queued])]
  const getLane = ({ route }: ClaimedWork): WorkLane => (route === 'queue' ? queued : direct)

  async function makeRetriesDue(limit: number): Promise<void> {
    for (const { outages } of lanes) await outages.makeDue(limit)
  }

  const claims = createClaims({
    ...{ leaseMs, pollMs, startLease, release, onError },
    longestDelayMs: Math.max(leaseMs, backoff?.maximumMs ?? 3_600_000, options.redeliverAfterMs ?? 600_000),
    claim: (how) => source.claim(work, how),
    // The direct lane limits the claims, because a claim cannot select a route.
    ...{ room: () => direct.room(), prepare: makeRetriesDue },
    take(claimed, leaseAge) {
      const queueTakes = queued.room().limit > 0
      // Work for a queue that hangs stays leased: the next claim would return released work at once.
      const taken = claimed.filter((one) => queueTakes || getLane(one) === direct)
      void add(taken, leaseAge, true)
      return taken.length
    },
  })

  function add(
    works: readonly ClaimedWork[],
    leaseAge: LeaseAge,
    isClaimed = false,
  ): Promise<void> | undefined {
    if (stopped) return release(works)
    for (const one of works) getLane(one).push({ work: one, leaseAge, isClaimed })
    // Work of one commit or one turn of the event loop shares a batch.
    if (pumpsSoon) return undefined
    pumpsSoon = true
    soon(() => {
      pumpsSoon = false
      pump()
    })
    return undefined
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
    get room() {
      return stopped || claims.isFull ? 0 : direct.room().limit
    },
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
      checkGrace(graceMs)
      stopped = true
      const claiming = claims.stop()
      const running = lanes.flatMap((lane) => [...lane.running])
      const releasing = release(lanes.flatMap((lane) => lane.clear()))
      await waitAtMost(graceMs, Promise.all([claiming, ...running, releasing]))
    },
  }
}
