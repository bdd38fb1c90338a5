import type { LeaseAge } from './lease-age.ts'
import type { ClaimedWork } from './ports.ts'

/** Leased work that waits for its attempt, or is in one. */
export interface Held {
  readonly work: ClaimedWork
  readonly leaseAge: LeaseAge
  /** Claimed, where other work was recorded here. */
  readonly isClaimed: boolean
}

/** Bytes of claimed work that one lane holds: parsed, it may take several times as much. */
const claimBytes = 16 * 1024 * 1024

/** Work that goes one way: what hangs there holds nothing up that goes another. */
export interface WorkLane {
  readonly waiting: Held[]
  /** Attempts under way. */
  attempts: number
  /** Of claimed work, waiting or in an attempt. */
  claimedBytes: number
}

export const createLane = (): WorkLane => ({ waiting: [], attempts: 0, claimedBytes: 0 })

/** How much more a lane should hold: no more than can be begun soon, as what waits here, others cannot have. */
export function roomIn(
  lane: WorkLane,
  beginsSoon: number,
): { readonly events: number; readonly bytes: number } {
  const bytes = claimBytes - lane.claimedBytes
  return { events: bytes > 0 ? Math.max(0, beginsSoon - lane.waiting.length) : 0, bytes }
}
