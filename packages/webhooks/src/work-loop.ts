import { retryDelay, type BackoffOptions } from './backoff.ts'
import type { InternalEvent } from './event.ts'
import { describeFailure } from './describe-failure.ts'
import type { ClaimedWork, Inbox, PublishResult, Settlement, Work } from './ports.ts'
import { tell } from './tell.ts'
import { within, withTimeout } from './timeout.ts'

export interface WorkLoopOptions {
  /** How long a lease lasts, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** How long one attempt may take, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Events in one attempt. @default 100 */
  readonly batchSize?: number
  /** Attempts at once. @default 4 */
  readonly concurrency?: number
  /** How often the inbox is asked for work that is due, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  readonly backoff?: BackoffOptions
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

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
  /** Whether it was started and not stopped. */
  readonly running: boolean
  /** Takes over work that is leased already; `bytes` is about what each piece of it takes in memory. */
  add(works: readonly ClaimedWork[], leaseEndsAt: number, bytes?: number): void
  /** Asks the inbox now instead of at the next poll. */
  wake(): void
  start(): void
  /** Begins nothing more, releases what has not begun, and waits for that and the attempts under way, so long at most. */
  stop(graceMs?: number): Promise<void>
}

interface Held {
  readonly work: ClaimedWork
  readonly leaseEndsAt: number
  readonly bytes: number
}

/** What becomes of one event: it is published, or left to the shared queue for so long, or neither. */
export type AttemptResult =
  PublishResult | { readonly ok: true; readonly queued: { readonly redeliverAfterMs: number } }

/** What becomes of a batch of work, one answer for each piece in its order. */
export type AttemptBatch = (
  works: readonly ClaimedWork[],
  signal: AbortSignal,
) => Promise<readonly AttemptResult[]>

/** Where work comes from and how it ends: an inbox, or what takes the part of one. */
export type WorkSource = Pick<Inbox, 'claim' | 'settle'>

/**
 * Takes leased work through attempts in batches: done, tried again later, or given up as a dead letter.
 *
 * An attempt begins only while more of its lease is left than it may take: work whose lease could end under it is
 * left for whoever claims it next.
 *
 * @throws TypeError when an attempt may take as long as a lease lasts
 */
export function createWorkLoop(
  work: Work,
  source: WorkSource,
  attemptBatch: AttemptBatch,
  options: WorkLoopOptions & WorkLoopHooks = {},
): WorkLoop {
  const { leaseMs = 15_000, timeoutMs = 5000, batchSize = 100, concurrency = 4, pollMs = 1000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { now = Date.now, random = Math.random, backoff, onAttempt, onError } = options
  if (leaseMs <= timeoutMs) throw new TypeError('A lease has to last longer than an attempt may take')

  const waiting: Held[] = []
  const running = new Set<Promise<void>>()
  const load = { events: 0, bytes: 0 }
  let polling: Promise<void> | undefined
  let pollTimer: ReturnType<typeof setTimeout> | undefined
  let backlog = false
  let pollAgain = false
  let pumpsSoon = false
  let stopped = true

  function add(works: readonly ClaimedWork[], leaseEndsAt: number, bytes = 0): void {
    if (stopped) {
      void release(works)
      return
    }
    for (const one of works) waiting.push({ work: one, leaseEndsAt, bytes })
    load.events += works.length
    load.bytes += works.length * bytes
    // What a commit or a turn of the event loop brings goes in one batch, whose costs it shares.
    if (pumpsSoon) return
    pumpsSoon = true
    soon(() => {
      pumpsSoon = false
      pump()
    })
  }

  function forget(batch: readonly Held[]): void {
    load.events -= batch.length
    for (const { bytes } of batch) load.bytes -= bytes
  }

  function pump(): void {
    while (!stopped && running.size < concurrency && waiting.length > 0) {
      const taken = waiting.splice(0, batchSize)
      const attempt = run(taken).finally(() => {
        running.delete(attempt)
        forget(taken)
        pump()
        if (backlog && waiting.length === 0) poll()
      })
      running.add(attempt)
    }
  }

  async function run(taken: readonly Held[]): Promise<void> {
    const latestEnd = now() + timeoutMs
    const batch = taken.filter(({ leaseEndsAt }) => leaseEndsAt > latestEnd).map((held) => held.work)
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
    // No more than can be begun soon: what waits here, others cannot have.
    const limit = batchSize * concurrency - waiting.length
    if (limit <= 0) {
      backlog = true
      return
    }
    const claimedAt = now()
    try {
      const claimed = await within(leaseMs, source.claim(work, { limit, leaseMs }))
      backlog = claimed.length === limit
      if (stopped) await release(claimed)
      else add(claimed, claimedAt + leaseMs)
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
      stopped = true
      clearTimeout(pollTimer)
      const left = waiting.splice(0)
      forget(left)
      const ended = Promise.all([polling, ...running, release(left.map((held) => held.work))])
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))
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
