import type { LaneResult, LaneSettlement } from '@sallyport/webhooks'
import type { Clock } from '../internal/clock.ts'
import type { ClaimedLaneRow, LaneStore } from '../inbox/lanes.ts'
import { BatchQueue } from '../internal/batch-queue.ts'
import { claimLanes } from './claim-lanes.ts'
import type { Storage } from './connections.ts'
import { renewLeases } from './renew.ts'
import { rescheduleLanes } from './reschedule-lanes.ts'
import { createRescheduling } from './reschedule.ts'
import { gatherEndings } from './settle.ts'
import { settleLanes } from './settle-lanes.ts'
import { writeOnce, writeTogether } from './write.ts'

/** Creates the operations on lanes; each is one statement. */
export function postgresLanes({ kysely, operations, wakeUps }: Storage, clock: Clock): LaneStore {
  const settling = new BatchQueue<readonly LaneSettlement[], readonly LaneResult[]>(
    (calls) => writeTogether(calls, settleTogether),
    // Settlements add no work: the claims bound them.
    { concurrency: 2, gather: gatherEndings, waiting: Infinity, waitingBytes: Infinity },
  )
  async function settleTogether(
    calls: readonly (readonly LaneSettlement[])[],
  ): Promise<readonly (readonly LaneResult[])[]> {
    const results = await settleLanes(kysely, clock, calls.flat())
    let end = 0
    return calls.map(({ length }) => results.slice(end, (end += length)))
  }

  const rescheduling = createRescheduling<ClaimedLaneRow>((last, leaseMs, longestDelayMs) =>
    writeOnce(() => rescheduleLanes(kysely, clock, { last, leaseMs, longestDelayMs })),
  )
  let lastClaim: Promise<unknown> = Promise.resolve()

  return {
    // Claims are serialized: concurrent claims would skip each other's locked rows and return less.
    claim: (limits, lease) =>
      operations.run(() => {
        const claiming = async () => {
          for (;;) {
            const { rows, found } = await writeOnce(() => claimLanes(kysely, clock, limits, lease))
            // Lanes that had no due event, or changed during the claim, may precede others.
            if (rows.length > 0 || found === 0) return rows
          }
        }
        const claimed = lastClaim.then(() => rescheduling(claiming, { ...limits, leaseMs: lease.leaseMs }))
        lastClaim = claimed.catch(() => undefined)
        return claimed
      }),

    settle: (settlements) =>
      operations.run(async () => {
        const results = await settling.add(0, () => settlements)
        if (results.some(({ isDue }, index) => isDue && settlements[index]?.releases === true))
          wakeUps.notify('publish')
        return results
      }),

    renew: (leases, leaseMs) =>
      operations.run(() => writeOnce(() => renewLeases(kysely, clock, leases, leaseMs))),
  }
}
