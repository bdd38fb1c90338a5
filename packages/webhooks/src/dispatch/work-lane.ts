import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from './lease-age.ts'
import type { ClaimedWork } from '../ports/ports.ts'

/** Leased work that waits for its attempt, or is in one. */
export interface Held {
  readonly work: ClaimedWork
  readonly leaseAge: LeaseAge
  /** Claimed, where other work was recorded here. */
  readonly isClaimed: boolean
}

/** Bytes of claimed work that one lane holds, 16 MiB: parsed, it may take several times as much. */
const claimBytes = 16_777_216

interface LaneOptions {
  /** Takes a batch through one attempt. */
  readonly run: (taken: readonly Held[]) => Promise<void>
  readonly batchSize: number
  readonly concurrency: number
  /** What all lanes hold. */
  readonly load: { events: number; bytes: number }
  readonly isRunning: () => boolean
  /** Told when nothing waits any more, and an attempt has ended. */
  readonly onIdle: () => void
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** Work that goes one way: what hangs there holds nothing up that goes another. */
export interface WorkLane {
  /** Attempts under way. */
  readonly running: ReadonlySet<Promise<void>>
  push(held: Held): void
  /** Begins as many attempts as there is work and room for. */
  pump(): void
  /** How much more it should hold: no more than can be begun soon, as what waits here, others cannot have. */
  readonly room: () => { readonly limit: number; readonly maxBytes: number }
  /** Takes out what waits. */
  clear(): readonly ClaimedWork[]
}

export function createLane(options: LaneOptions): WorkLane {
  const { run, batchSize, concurrency, load, isRunning, onIdle, onError } = options
  const waiting: Held[] = []
  const running = new Set<Promise<void>>()
  let claimedBytes = 0

  function count({ work: { bytes }, isClaimed }: Held, by: 1 | -1): void {
    load.events += by
    // What is no number would never be gone again.
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
      for (const held of taken) count(held, -1)
      pump()
      if (waiting.length === 0) onIdle()
    }
    const attempt: Promise<void> = run(taken).then(end, (error: unknown) => {
      // What nobody foresaw must not end the process: the work is due again when its lease ends.
      callHook(onError, error)
      end()
    })
    running.add(attempt)
  }

  return {
    running,
    push(held) {
      waiting.push(held)
      count(held, 1)
    },
    pump,
    room() {
      const maxBytes = claimBytes - claimedBytes
      return { limit: maxBytes > 0 ? Math.max(0, batchSize * concurrency - waiting.length) : 0, maxBytes }
    },
    clear() {
      const left = waiting.splice(0)
      for (const held of left) count(held, -1)
      return left.map(({ work }) => work)
    },
  }
}
