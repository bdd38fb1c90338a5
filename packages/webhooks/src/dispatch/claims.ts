import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from './lease-age.ts'
import type { ClaimedWork } from '../ports/ports.ts'

interface ClaimsOptions {
  readonly claim: (
    how: Room & { readonly leaseMs: number; readonly longestDelayMs: number },
  ) => Promise<readonly ClaimedWork[]>
  readonly leaseMs: number
  /** The longest delay of a settlement. */
  readonly longestDelayMs: number
  readonly pollMs: number
  readonly startLease: () => LeaseAge
  /** How much more can be begun soon. */
  readonly room: () => Room
  /** Runs before each claim, with the number of pieces that the claim asks for. */
  readonly prepare: (limit: number) => Promise<void>
  /** Whether claims wait for the next poll, even where more work is due. */
  readonly isSlow: () => boolean
  /** Takes over what was claimed; answers how much of it. */
  readonly take: (claimed: readonly ClaimedWork[], leaseAge: LeaseAge) => number
  /** Gives back what was claimed for somebody who has stopped. */
  readonly release: (claimed: readonly ClaimedWork[]) => Promise<void>
  readonly onError: ((error: unknown) => unknown) | undefined
}

interface Room {
  readonly limit: number
  readonly maxBytes: number
}

/** Claims what is due: at every poll, and at once when there was more than there was room for. */
export interface Claims {
  /** Asks now instead of at the next poll. */
  readonly poll: () => void
  /** Asks now when there may be more than was claimed. */
  pollBacklog(): void
  start(): void
  /** Asks nothing more; resolves when what is being claimed has been given back. */
  stop(): Promise<void> | undefined
}

export function createClaims(options: ClaimsOptions): Claims {
  const {
    claim,
    leaseMs,
    longestDelayMs,
    pollMs,
    startLease,
    room,
    prepare,
    isSlow,
    take,
    release,
    onError,
  } = options
  let asking: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let backlog = false
  let again = false
  let stopped = true

  function poll(): void {
    clearTimeout(timer)
    if (stopped) return
    if (asking) {
      // What became due since the question was asked is not in its answer.
      again = true
      return
    }
    asking = ask().finally(() => {
      asking = undefined
      if (stopped) return
      timer = setTimeout(poll, again && !isSlow() ? 0 : pollMs)
      again = false
    })
  }

  async function ask(): Promise<void> {
    try {
      const asked = room()
      if (asked.limit === 0) {
        backlog = true
        return
      }
      await prepare(asked.limit)
      const leaseAge = startLease()
      const claimed = await withDeadline(leaseMs, claim({ ...asked, leaseMs, longestDelayMs }))
      if (stopped) {
        await release(claimed)
        return
      }
      // Where there was work, there may be more, however many bytes it was.
      backlog = claimed.length > 0
      if (take(claimed, leaseAge) === 0) again ||= backlog
    } catch (error) {
      backlog = false
      callHook(onError, error)
    }
  }

  return {
    poll,
    pollBacklog() {
      if (backlog && !isSlow()) poll()
    },
    start() {
      stopped = false
      poll()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      return asking
    },
  }
}
