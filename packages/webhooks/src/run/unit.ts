import type { LeaseAge } from '../ports/lease-age.ts'
import { createEnding, type Ending } from './ending.ts'
import type { ClaimedWork, HeldLease } from '../ports/ports.ts'

/** One event, or a lane with its next events, under a lease of this process. */
export interface Unit {
  readonly held: HeldLease
  /** The name of the lane; undefined for an event without a lane. */
  readonly lane: string | undefined
  /** The events that no handler has begun, in their order. */
  readonly works: ClaimedWork[]
  readonly bytes: number
  leaseAge: LeaseAge
  /** Since when the process has the unit. */
  readonly age: LeaseAge
  /** Ends the running handler when the lease is lost and when the process stops. Its result has no effect then. */
  readonly ending: Ending
}

interface UnitSource {
  readonly lane?: string | undefined
  readonly lease: string
  readonly works: readonly ClaimedWork[]
  readonly leaseAge: LeaseAge
}

/** Creates a unit; undefined without an event. */
export function createUnit({ lane, lease, works, leaseAge }: UnitSource, age: LeaseAge): Unit | undefined {
  const [first] = works
  if (first === undefined) return undefined
  return {
    held: lane === undefined ? { id: first.event.id, lease } : { lane, lease },
    lane,
    works: [...works],
    bytes: works.reduce((total, { bytes = 0 }) => total + bytes, 0),
    leaseAge,
    age,
    ending: createEnding(),
  }
}

/** The reason for which the signal of a handler aborts when another process may have its event. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor() {
    super('The lease of the event ended: another process may handle the event')
  }
}
