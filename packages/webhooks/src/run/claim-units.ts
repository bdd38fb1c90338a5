import { createClaims, type Claims, type Room } from '../dispatch/claims.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { ClaimedLane, ClaimedWork, DispatcherInbox } from '../ports/ports.ts'
import { createUnit, type Unit } from './unit.ts'

interface UnitClaimsOptions {
  readonly inbox: DispatcherInbox
  readonly leaseMs: number
  readonly longestDelayMs: number
  readonly pollMs: number
  readonly startLease: () => LeaseAge
  readonly room: () => Room
  /** Runs before each claim, with the limit of the claim. */
  readonly prepare: (limit: number) => Promise<void>
  /** Accepts claimed units, and returns their number; 0 if units were given back, which leaves room for others. */
  readonly take: (units: readonly Unit[]) => number
  /** Releases units that arrive after a stop. */
  readonly release: (units: readonly Unit[]) => Promise<void>
  readonly onError: ((error: unknown) => unknown) | undefined
  /** Whether a dispatcher claims the events without a lane. */
  readonly lanesOnly: boolean
}

/** The claims of events without a lane, and of lanes. */
export interface UnitClaims {
  /** Claims now instead of at the next poll. */
  poll(): void
  pollEvents(): void
  pollLanes(): void
  /** Claims now if the last claims left work. */
  pollBacklog(): void
  start(): void
  stop(): Promise<void>
}

/** The next events of a lane that one claim reads. */
const eventsPerLane = 20

export function createUnitClaims(options: UnitClaimsOptions): UnitClaims {
  const { inbox, startLease, take, release } = options
  const toUnits = (claimed: readonly UnitSource[], leaseAge: LeaseAge): readonly Unit[] =>
    claimed.flatMap((one) => createUnit({ ...one, leaseAge }, startLease()) ?? [])

  function claim(read: (how: ClaimRequest) => Promise<readonly UnitSource[]>): Claims {
    return createClaims<UnitSource>({
      ...options,
      claim: read,
      take: (claimed, leaseAge) => take(toUnits(claimed, leaseAge)),
      release: (claimed) => release(toUnits(claimed, startLease())),
    })
  }

  const events = claim(async (how) => (await inbox.claim('publish', how)).map(fromWork))
  const lanes = claim(async (how) =>
    ((await inbox.claimLanes?.({ ...how, events: eventsPerLane })) ?? []).map(fromLane),
  )
  const all = [...(inbox.claimLanes ? [lanes] : []), ...(options.lanesOnly ? [] : [events])]
  return {
    poll() {
      for (const one of all) one.poll()
    },
    pollEvents: events.poll,
    pollLanes: lanes.poll,
    pollBacklog() {
      for (const one of all) one.pollBacklog()
    },
    start() {
      for (const one of all) one.start()
    },
    async stop() {
      await Promise.all(all.map(async (one) => one.stop()))
    },
  }
}

type ClaimRequest = Parameters<DispatcherInbox['claim']>[1]

interface UnitSource {
  readonly lane?: string
  readonly lease: string
  readonly works: readonly ClaimedWork[]
}

const fromWork = (work: ClaimedWork): UnitSource => ({ lease: work.lease, works: [work] })
const fromLane = ({ name, lease, works }: ClaimedLane): UnitSource => ({ lane: name, lease, works })
