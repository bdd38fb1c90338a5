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

/** How much a lane can take of a claim. */
interface Room {
  readonly lane: WorkLane
  events: number
  bytes: number
}

/** No more than can be begun soon: what waits here, others cannot have. */
export function roomIn(lane: WorkLane, beginsSoon: number): Room {
  const room = { lane, events: beginsSoon - lane.waiting.length, bytes: claimBytes - lane.claimedBytes }
  return room.bytes > 0 ? room : { ...room, events: 0 }
}

/** Whether there was room for it. */
export function takeRoom(room: Room, { bytes = 0 }: ClaimedWork): boolean {
  if (room.events <= 0 || room.bytes < 0) return false
  room.events--
  room.bytes -= bytes
  return true
}
