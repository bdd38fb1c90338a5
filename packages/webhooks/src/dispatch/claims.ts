import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from '../ports/lease-age.ts'

interface ClaimsOptions<Claimed> {
  readonly claim: (
    how: Room & { readonly leaseMs: number; readonly longestDelayMs: number },
  ) => Promise<readonly Claimed[]>
  readonly leaseMs: number
  /** The longest delay of a settlement. */
  readonly longestDelayMs: number
  readonly pollMs: number
  readonly startLease: () => LeaseAge
  /** How much more work can start soon. */
  readonly room: () => Room
  /** Runs before each claim, with the limit of the claim. @default nothing */
  readonly prepare?: (limit: number) => Promise<void>
  /** Accepts claimed work and returns the number of accepted items. */
  readonly take: (claimed: readonly Claimed[], leaseAge: LeaseAge) => number
  /** Releases work that arrives after a stop. */
  readonly release: (claimed: readonly Claimed[]) => Promise<void>
  readonly onError: ((error: unknown) => unknown) | undefined
}

export interface Room {
  readonly limit: number
  readonly maxBytes: number
}

/** Claims due work: at each poll, and at once when there was more work than room. */
export interface Claims {
  /** Claims now instead of at the next poll. */
  readonly poll: () => void
  /** Claims now if the last claim left work. */
  pollBacklog(): void
  /** Whether the last claim found as much work as it had room for. */
  readonly isFull: boolean
  start(): void
  /** Ends the claims; resolves when the work of a running claim is released. */
  stop(): Promise<void> | undefined
}

export function createClaims<Claimed>(options: ClaimsOptions<Claimed>): Claims {
  const { claim, leaseMs, longestDelayMs, pollMs, startLease, room, prepare, take, release, onError } =
    options
  let asking: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let backlog = false
  let full = false
  let again = false
  let stopped = true

  function poll(): void {
    clearTimeout(timer)
    if (stopped) return
    if (asking) {
      // The running claim may miss work that became due after its start.
      again = true
      return
    }
    asking = ask().finally(() => {
      asking = undefined
      if (stopped) return
      timer = setTimeout(poll, again ? 0 : pollMs)
      again = false
    })
  }

  async function ask(): Promise<void> {
    try {
      const asked = room()
      if (asked.limit === 0) {
        backlog = full = true
        return
      }
      await prepare?.(asked.limit)
      const leaseAge = startLease()
      const claimed = await withDeadline(leaseMs, claim({ ...asked, leaseMs, longestDelayMs }))
      if (stopped) {
        await release(claimed)
        return
      }
      // A claim that is limited by bytes may have left work.
      backlog = claimed.length > 0
      full = claimed.length >= asked.limit
      if (take(claimed, leaseAge) === 0) again ||= backlog
    } catch (error) {
      backlog = full = false
      callHook(onError, error)
    }
  }

  return {
    poll,
    get isFull() {
      return full
    },
    pollBacklog() {
      if (backlog) poll()
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
