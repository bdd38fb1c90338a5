import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { ClaimedWork } from '../ports/ports.ts'

/** Leased work that waits for an attempt or is in one. */
export interface LeasedWork {
  readonly work: ClaimedWork
  readonly leaseAge: LeaseAge
  /** Whether the work was claimed, in contrast to work that this process recorded. */
  readonly isClaimed: boolean
}

/** The maximum size of the claimed work in a lane, 16 MiB; parsed data takes several times as much memory. */
const claimBytes = 16_777_216

interface LaneOptions {
  /** Runs one attempt. */
  readonly run: (taken: readonly LeasedWork[]) => Promise<void>
  readonly batchSize: number
  readonly concurrency: number
  /** The load of all lanes together. */
  readonly load: { events: number; bytes: number }
  readonly isRunning: () => boolean
  /** Called when an attempt has ended and no work waits. */
  readonly onIdle: () => void
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** The attempts of one route, so that a destination that hangs does not block the other one. */
export interface WorkLane {
  /** Running attempts. */
  readonly running: ReadonlySet<Promise<void>>
  push(leased: LeasedWork): void
  /** Starts attempts up to the concurrency. */
  pump(): void
  /** How much more work to claim: only work that can start soon, because other processes cannot claim it then. */
  readonly room: () => { readonly limit: number; readonly maxBytes: number }
  /** Removes and returns the waiting work. */
  clear(): readonly ClaimedWork[]
}

export function createLane(options: LaneOptions): WorkLane {
  const { run, batchSize, concurrency, load, isRunning, onIdle, onError } = options
  const waiting: LeasedWork[] = []
  const running = new Set<Promise<void>>()
  let claimedBytes = 0

  function count({ work: { bytes }, isClaimed }: LeasedWork, by: 1 | -1): void {
    load.events += by
    // The subtraction of a value that is not finite would not restore the count.
    if (bytes === undefined || !Number.isFinite(bytes)) return
    load.bytes += by * bytes
    if (isClaimed) claimedBytes += by * bytes
  }

  function pump(): void {
    while (isRunning() && running.size < concurrency && waiting.length > 0) begin()
  }

  function begin(): void {
    const taken = waiting.splice(0, batchSize)
    const end = () => {
      running.delete(attempt)
      for (const leased of taken) count(leased, -1)
      pump()
      if (waiting.length === 0) onIdle()
    }
    const attempt: Promise<void> = run(taken).then(end, (error: unknown) => {
      // An unexpected error must not end the process. The work is due again when its lease ends.
      callHook(onError, error)
      end()
    })
    running.add(attempt)
  }

  return {
    running,
    push(leased) {
      waiting.push(leased)
      count(leased, 1)
    },
    pump,
    room() {
      const maxBytes = claimBytes - claimedBytes
      return { limit: maxBytes > 0 ? Math.max(0, batchSize * concurrency - waiting.length) : 0, maxBytes }
    },
    clear() {
      const left = waiting.splice(0)
      for (const leased of left) count(leased, -1)
      return left.map(({ work }) => work)
    },
  }
}
