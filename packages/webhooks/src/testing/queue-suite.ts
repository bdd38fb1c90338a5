import { idsOf } from './inbox-context.ts'
import { ackAll, all, events, forever, leaseMs, queueContext, type QueueFixture } from './queue-context.ts'
import { testReceiveBytes } from './queue-receive-bytes.ts'
import { testRetries } from './queue-retries.ts'
import { testQueuedValues } from './queue-values.ts'
import { testWaits } from './queue-waits.ts'
import type { TestRunner } from './runner.ts'

export type { QueueFixture, QueueFixtureOptions } from './queue-context.ts'

/**
 * Defines the tests that every queue has to pass: what it has taken in is received until it is acknowledged, and by one
 * at a time.
 *
 * @example
 * ```ts
 * import { memoryQueue } from '@sallyport/webhooks'
 * import { testQueue } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testQueue({ describe, expect, it }, { create: (options) => memoryQueue(options), keepsObjects: true })
 * ```
 */
export function testQueue(runner: TestRunner, fixture: QueueFixture): void {
  const context = queueContext(runner, fixture)
  const { test, expect } = context

  runner.describe('queue', () => {
    testQueuedValues(context)

    test('gives to one at a time, however many ask', async ({ queue, reopen }) => {
      const other = await reopen()
      const ids = Array.from({ length: 60 }, (_, index) => `doorbell:${index}`)
      await queue.enqueue(events(...ids), forever)
      const asked = Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? queue : other).receive({ limit: 3, signal: forever }),
      )
      const received = [...(await Promise.all(asked)).flat(), ...(await all(queue)), ...(await all(other))]
      expect(idsOf(received).sort()).toEqual(ids.sort())
      expect(await ackAll(received)).toEqual(ids.map(() => true))
    })

    testRetries(context)
    testWaits(context)
    testReceiveBytes(context)

    if (fixture.reopen) {
      test('is what it was after its process has gone', async ({ queue, pass, reopen }) => {
        await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
        await queue.receive({ limit: 1, signal: forever })
        const other = await reopen()
        expect(await other.enqueue(events('doorbell:b'), forever)).toEqual([{ ok: true, duplicate: true }])
        expect(idsOf(await all(other))).toEqual(['doorbell:b'])
        await pass(leaseMs)
        expect(idsOf(await all(other)).sort()).toEqual(['doorbell:a', 'doorbell:b'])
      })
    }
  })
}
