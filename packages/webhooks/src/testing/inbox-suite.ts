import { testBodies } from './inbox-bodies.ts'
import { testClaimBytes } from './inbox-claim-bytes.ts'
import { testDetail } from './inbox-detail.ts'
import { testErasure } from './inbox-erasure.ts'
import { testFairness } from './inbox-fairness.ts'
import { testFreshIds } from './inbox-fresh-ids.ts'
import { testList } from './inbox-list.ts'
import { testMakeDue } from './inbox-make-due.ts'
import { testPrune } from './inbox-prune.ts'
import { testPrunePortions } from './inbox-prune-portions.ts'
import { testQueue } from './inbox-queue.ts'
import { testReplay } from './inbox-replay.ts'
import { testReplayedNotifications } from './inbox-replay-notify.ts'
import { testResolve } from './inbox-resolve.ts'
import { testStats } from './inbox-stats.ts'
import { inboxContext, type InboxFixture } from './inbox-context.ts'
import { testLeases } from './inbox-lease.ts'
import { testNotifications } from './inbox-notify.ts'
import { testPublished } from './inbox-published.ts'
import { testRecord } from './inbox-record.ts'
import { testSettle } from './inbox-settle.ts'
import { testValues } from './inbox-values.ts'
import type { TestRunner } from './runner.ts'

/**
 * Defines the tests that every inbox has to pass: what it has recorded is told once, held by one at a time, and ended
 * by whoever holds it.
 *
 * @example
 * ```ts
 * import { memoryInbox } from '@sallyport/webhooks'
 * import { testInbox } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testInbox({ describe, expect, it }, { create: (now) => memoryInbox({ now }) })
 * ```
 */
export function testInbox(runner: TestRunner, fixture: InboxFixture): void {
  runner.describe('inbox', () => {
    const context = inboxContext(runner, fixture)
    testRecord(context)
    testLeases(context)
    testSettle(context)
    testMakeDue(context)
    testNotifications(context)
    testPublished(context)
    testValues(context)
    testBodies(context)
    testFairness(context)
    testClaimBytes(context)
    testQueue(context)
    testList(context)
    testDetail(context)
    testReplay(context)
    testReplayedNotifications(context)
    testFreshIds(context)
    testResolve(context)
    testErasure(context)
    testPrune(context)
    testPrunePortions(context)
    testStats(context)
  })
}
