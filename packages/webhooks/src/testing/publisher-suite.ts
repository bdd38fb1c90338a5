import { eventOf } from './inbox-context.ts'
import { publisherContext, type PublisherFixture } from './publisher-context.ts'
import { testHangingPublisher } from './publisher-hang.ts'
import { testPublishedValues } from './publisher-values.ts'
import type { TestRunner } from './runner.ts'
import { nameOfUnwritable, takeUnwritable } from './unwritable-events.ts'

export type { PublisherFixture } from './publisher-context.ts'

/**
 * Defines the tests that every publisher has to pass: an answer for each event in its order, what it says is published is
 * on the bus, whole, and a failure tells nothing of its event.
 *
 * @example
 * ```ts
 * import { memoryBus, type MemoryBus } from '@sallyport/webhooks'
 * import { testPublisher } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testPublisher(
 *   { describe, expect, it },
 *   { create: () => memoryBus(), events: (bus) => (bus as MemoryBus).events, keepsObjects: true },
 * )
 * ```
 */
export function testPublisher(runner: TestRunner, fixture: PublisherFixture): void {
  const { deduplicates = true, keepsObjects } = fixture
  const context = publisherContext(runner, fixture)
  const { test } = context
  const forever = new AbortController().signal
  const batch = (count: number, prefix = 'doorbell') =>
    Array.from({ length: count }, (_, index) => eventOf(`${prefix}:${index}`, Date.UTC(2026, 0) + index))

  runner.describe('publisher', () => {
    test('answers for each event of a batch', async ({ publisher, published, expect }) => {
      const events = batch(9)
      const results = await publisher.publish(events, forever)
      expect(results.map(({ ok }) => ok)).toEqual(events.map(() => true))
      const ids = await published()
      if (ids) expect(ids).toEqual(events.map(({ id }) => id))
    })

    test('answers nothing for nothing', async ({ publisher, expect }) => {
      expect(await publisher.publish([], forever)).toEqual([])
    })

    test('takes an id again', async ({ publisher, published, expect }) => {
      const events = batch(3)
      await publisher.publish(events, forever)
      const results = await publisher.publish([...batch(1, 'mailbox'), ...events], forever)
      expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true])
      if (!deduplicates) return
      expect(results.map((result) => result.ok && result.duplicate === true)).toEqual([
        false,
        true,
        true,
        true,
      ])
      const ids = await published()
      if (ids) expect(ids).toEqual([...events.map(({ id }) => id), 'mailbox:0'])
    })

    if (deduplicates) {
      test('keeps one of two equal ids in a batch', async ({ publisher, published, expect }) => {
        const [event] = batch(1)
        if (!event) throw new Error('One event was asked for')
        const results = await publisher.publish([event, event], forever)
        expect(results.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
        const ids = await published()
        if (ids) expect(ids).toEqual([event.id])
      })

      test('keeps one of many that come at once', async ({ publisher, expect }) => {
        const results = await Promise.all(
          Array.from({ length: 8 }, () => publisher.publish(batch(5), forever)),
        )
        const first = results.flat().filter((result) => result.ok && result.duplicate !== true)
        expect(first.length).toBe(5)
      })
    }

    test(nameOfUnwritable(keepsObjects), async ({ publisher, published, expect }) => {
      const taken = await takeUnwritable(expect, (some) => publisher.publish(some, forever), keepsObjects)
      const ids = await published()
      if (ids && (deduplicates || !keepsObjects)) expect(ids).toEqual(taken)
    })

    testPublishedValues(context)
    testHangingPublisher(context)

    test('publishes nothing once it was told to stop', async ({ publisher, published, expect }) => {
      const outcome = await publisher.publish(batch(1), AbortSignal.abort()).then(
        (results) => results.every(({ ok }) => !ok),
        () => true,
      )
      expect(outcome).toBe(true)
      const ids = await published()
      if (ids) expect(ids).toEqual([])
    })
  })
}
