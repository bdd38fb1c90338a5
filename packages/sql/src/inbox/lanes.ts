import { checkIntegers } from '@sallyport/internal/options'
import type {
  ClaimedLane,
  DispatcherInbox,
  HeldLease,
  LaneResult,
  LaneSettlement,
  Settlement,
} from '@sallyport/webhooks'
import type { Bodies } from '../bodies/bodies.ts'
import type { Vault } from '../encryption/vault.ts'
import type { OnError } from '../internal/errors.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { findMissing, readClaimedRows, reportUnreadableRows, type ClaimedRow } from './claimed.ts'
import type { ClaimLimits, LeaseRequest } from './inbox.ts'
import { toStoredLaneSettlement } from './stored.ts'

/** A claim of lanes: `limit` is their number. */
export interface LaneLimits extends ClaimLimits {
  /** The maximum number of events per lane. */
  readonly events: number
}

export interface ClaimedLaneRow extends ClaimedRow {
  readonly lane: string
}

/** The operations on lanes that each engine implements. */
export interface LaneStore {
  /** Returns the rows of each lane in their order, those of a lane together. */
  claim(limits: LaneLimits, lease: LeaseRequest): Promise<readonly ClaimedLaneRow[]>
  settle(settlements: readonly LaneSettlement[]): Promise<readonly LaneResult[]>
  renew(leases: readonly HeldLease[], leaseMs: number): Promise<readonly boolean[]>
}

interface LaneOptions {
  readonly newToken: () => string
  readonly onError: OnError | undefined
  readonly bodyEvents: BodyEvents
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
}

/** Creates the operations of an inbox on lanes. */
export function createLaneOperations(
  store: LaneStore,
  { newToken, onError, bodyEvents, schema, vault, bodies }: LaneOptions,
): Required<Pick<DispatcherInbox, 'claimLanes' | 'settleLanes' | 'renew'>> {
  /** Later events of a lane wait for one that waits for its key or its object. */
  function upToWaiting(rows: readonly ClaimedLaneRow[]): readonly ClaimedLaneRow[] {
    const waiting = rows.findIndex((row) => findMissing(row, vault) !== undefined)
    return waiting === -1 ? rows : rows.slice(0, waiting + 1)
  }

  /** Settles unreadable events; returns whether any lane was settled. A lane without other events is released. */
  async function settleUnreadable(
    lanes: readonly (ClaimedLane & { readonly unreadable: readonly Settlement[] })[],
  ): Promise<boolean> {
    const settlements = lanes.map(({ name, lease, works, unreadable }) => ({
      ...{ name, lease, settlements: unreadable },
      releases: works.length === 0,
    }))
    const results = await store.settle(settlements).then(
      (settled) => settled.map(({ isSettled }) => isSettled),
      (): readonly boolean[] => [],
    )
    const ended = lanes.filter((_, index) => results[index]).flatMap(({ unreadable }) => unreadable)
    reportUnreadableRows(onError, 'publish', ended)
    return ended.length > 0
  }

  return {
    async claimLanes({ limit, events, leaseMs, maxBytes, longestDelayMs }) {
      checkIntegers({ limit, leaseMs, maxBytes, longestDelayMs }, 0)
      checkIntegers({ events }, 1)
      for (;;) {
        const lease = newToken()
        const limits = { limit, events, maxBytes, longestDelayMs }
        const rows = await bodies.load(
          await schema.claim(() => store.claim(limits, { token: lease, leaseMs })),
        )
        const options = { lease, isMeasured: maxBytes !== undefined, bodyEvents, vault }
        const lanes = [...Map.groupBy(rows, ({ lane }) => lane)].map(([name, own]) => {
          const { claimed: works, unreadable } = readClaimedRows(upToWaiting(own), options)
          return { name, lease, works, unreadable }
        })
        const broken = lanes.filter(({ unreadable }) => unreadable.length > 0)
        const isSettled = broken.length > 0 && (await settleUnreadable(broken))
        const claimed = lanes.filter(({ works }) => works.length > 0)
        // An empty answer would let the caller wait although readable work may follow.
        if (claimed.length > 0 || !isSettled)
          return claimed.map(({ name, works }) => ({ name: unescapeText(name), lease, works }))
      }
    },

    async settleLanes(settlements) {
      return settlements.length === 0
        ? []
        : await store.settle(settlements.map((one) => toStoredLaneSettlement(one, vault.seal)))
    },

    async renew(leases, { leaseMs }) {
      checkIntegers({ leaseMs }, 0)
      return leases.length === 0 ? [] : await store.renew(leases.map(toStoredLease), leaseMs)
    },
  }
}

const toStoredLease = (held: HeldLease): HeldLease =>
  'lane' in held
    ? { lane: escapeText(held.lane), lease: held.lease }
    : { id: escapeText(held.id), lease: held.lease }
