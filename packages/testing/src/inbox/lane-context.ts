import type {
  ClaimedLane,
  CompleteInbox,
  DeliveryRecord,
  HeldLease,
  Lane,
  LaneResult,
  RecordResult,
  Settlement,
} from '@sallyport/webhooks'
import { createDelivery, listEventIds } from '../records.ts'
import type { InboxContext } from './context.ts'

type TestedInbox = Parameters<Parameters<InboxContext['test']>[1]>[0]
type Outcome = Settlement['outcome']
type ClaimOptions = Parameters<NonNullable<CompleteInbox['claimLanes']>>[0]

export const done = { status: 'done' } as const
export const dead = { status: 'dead', error: 'the handler failed for good' } as const
export const retry = (afterMs: number) => ({ status: 'retry', afterMs, error: 'the handler failed' }) as const

/** The operations of an inbox on lanes. */
export interface LaneOperations {
  /** Records a delivery of events of one lane. */
  record(lane: Lane, ids: readonly string[], options?: { readonly leaseMs?: number }): Promise<RecordResult>
  claim(options?: Partial<ClaimOptions>): Promise<readonly ClaimedLane[]>
  /** Settles the events of a lane in their order, and releases the lane. */
  settle(
    lane: ClaimedLane | undefined,
    outcomes: readonly Outcome[],
    ending?: { readonly releases?: boolean; readonly pauses?: boolean; readonly afterMs?: number },
  ): Promise<LaneResult>
  /** Claims all due lanes and settles their events with one outcome. */
  settleAll(outcome?: Outcome): Promise<readonly LaneResult[]>
  renew(leases: readonly HeldLease[], leaseMs: number): Promise<readonly boolean[]>
}

export const ordered = (name: string): Lane => ({ name, isOrdered: true })
export const unordered = (name: string): Lane => ({ name, isOrdered: false })

/** Returns the delivery with its events in a lane. */
export const inLane = (lane: Lane, delivery: DeliveryRecord): DeliveryRecord => ({
  ...delivery,
  events: delivery.events.map((record) => ({ ...record, lane })),
})

/** Lists claimed lanes as pairs of a name and the ids of events. */
export const listLanes = (
  claimed: readonly ClaimedLane[],
): readonly (readonly [string, readonly string[]])[] =>
  claimed.map(({ name, works }) => [name, listEventIds(works)] as const)

/** Lists the ids of the events of a claimed lane. */
export const listIds = (lane: ClaimedLane | undefined): readonly string[] => listEventIds(lane?.works ?? [])

/** @returns the operations, or undefined for an inbox without lanes */
function getLaneOperations(inbox: CompleteInbox, now: () => number): LaneOperations | undefined {
  const claimLanes = inbox.claimLanes?.bind(inbox)
  const settleLanes = inbox.settleLanes?.bind(inbox)
  const renew = inbox.renew?.bind(inbox)
  if (claimLanes === undefined || settleLanes === undefined || renew === undefined) return undefined
  const claim: LaneOperations['claim'] = (options) =>
    claimLanes({ limit: 1000, events: 100, leaseMs: 15_000, ...options })
  const toSettlement = ({ name, lease, works }: ClaimedLane, outcomes: readonly Outcome[]) => ({
    ...{ name, lease, releases: true },
    settlements: outcomes.map((outcome, index) => ({ id: works[index]?.event.id ?? '', lease, outcome })),
  })
  return {
    record: (lane, ids, options) => inbox.record(inLane(lane, createDelivery(now(), ...ids)), options),
    claim,
    async settle(lane, outcomes, ending) {
      if (lane === undefined) throw new Error('The lane was not claimed')
      const [result] = await settleLanes([{ ...toSettlement(lane, outcomes), ...ending }])
      if (result === undefined) throw new Error('The settlement has no result')
      return result
    },
    async settleAll(outcome = done) {
      const claimed = await claim()
      return settleLanes(
        claimed.map((lane) =>
          toSettlement(
            lane,
            lane.works.map(() => outcome),
          ),
        ),
      )
    },
    renew: (leases, leaseMs) => renew(leases, { leaseMs }),
  }
}

interface LaneTest extends TestedInbox {
  readonly lanes: LaneOperations
  /** The operations of another process. */
  readonly reopenLanes: () => Promise<LaneOperations>
}

/** Declares a test that an inbox without lanes passes. */
export const testLane =
  (test: InboxContext['test']) => (name: string, body: (context: LaneTest) => Promise<void>) => {
    test(name, async (context) => {
      const { inbox, now, reopen } = context
      const lanes = getLaneOperations(inbox, now)
      if (lanes === undefined) return
      const reopenLanes = async () => getLaneOperations(await reopen(), now) ?? lanes
      await body({ ...context, lanes, reopenLanes })
    })
  }
