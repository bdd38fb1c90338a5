import type { TestRunner } from '@sallyport/webhooks/testing'
import { testBodyData } from './body-data.ts'
import { testClaimBytes, testFairness, testLeases } from './claim.ts'
import { createInboxContext, type InboxFixture } from './context.ts'
import { testDestinationRows } from './destination-rows.ts'
import { testDetail } from './detail.ts'
import { testEndpoints } from './endpoints.ts'
import { testCancel } from './cancel.ts'
import { testErasureByFilter } from './erase-matching.ts'
import { testErasure } from './erase.ts'
import { testFailures } from './failures.ts'
import { testFilters } from './filters.ts'
import { testLaneEvents } from './lane-events.ts'
import { testLaneLeases } from './lane-leases.ts'
import { testLaneOperators } from './lane-operators.ts'
import { testLanes } from './lanes.ts'
import { testList } from './list.ts'
import { testPrune, testPrunePortions } from './prune.ts'
import { testPublished, testStats } from './published.ts'
import { testRecord } from './record.ts'
import { testRecorded } from './recorded.ts'
import { testFreshIds, testReplayedNotifications } from './replay-as-new.ts'
import { testReplay } from './replay.ts'
import { testResolve } from './resolve.ts'
import { testNotificationLeases } from './notification-leases.ts'
import { testMakeDue, testNotifications, testSettle } from './settle.ts'
import { testSharedQueue } from './shared-queue.ts'
import { testBodies, testValues } from './values.ts'

/**
 * Defines the conformance tests of inboxes: idempotent records, exclusive leases and fenced settlements.
 *
 * @example
 * ```ts
 * import { createMemoryInbox } from '@sallyport/webhooks'
 * import { testInbox } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testInbox({ describe, expect, it }, { create: (now) => createMemoryInbox({ now }) })
 * ```
 */
export function testInbox(runner: TestRunner, fixture: InboxFixture): void {
  runner.describe('inbox', () => {
    const context = createInboxContext(runner, fixture)
    testRecord(context)
    testLeases(context)
    testSettle(context)
    testMakeDue(context)
    testNotifications(context)
    testNotificationLeases(context)
    testPublished(context)
    testValues(context)
    testBodies(context)
    testFairness(context)
    testClaimBytes(context)
    testBodyData(context)
    testSharedQueue(context)
    testLanes(context)
    testLaneLeases(context)
    testLaneOperators(context)
    testLaneEvents(context)
    testDestinationRows(context)
    testList(context)
    testFilters(context)
    testFailures(context)
    testRecorded(context)
    testDetail(context)
    testEndpoints(context)
    testReplay(context)
    testReplayedNotifications(context)
    testFreshIds(context)
    testResolve(context)
    testErasure(context)
    testErasureByFilter(context)
    testCancel(context)
    testPrune(context)
    testPrunePortions(context)
    testStats(context)
  })
}
