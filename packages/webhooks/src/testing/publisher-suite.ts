import type { MaybePromise, Publisher } from '../ports.ts'
import { eventOf } from './inbox-context.ts'
import type { TestRunner } from './runner.ts'
import { nameOfUnwritable, takeUnwritable } from './unwritable-events.ts'

export interface PublisherFixture {
  /** A publisher on an empty bus. */
  create(): MaybePromise<Publisher>
  /** The ids on the publisher's bus, in the order that it keeps; left out where nobody can look. */
  published?(publisher: Publisher): MaybePromise<readonly string[]>
  /** Gives a publisher back after its test. */
  destroy?(publisher: Publisher): MaybePromise<void>
  /** Whether the engine tells an id that it knows, and keeps it once. @default true */
  readonly deduplicates?: boolean
  /** Whether the bus keeps the order of a batch. @default true */
  readonly ordered?: boolean
  /** Whether events stay objects, of which not all need be writable as JSON. @default false */
  readonly keepsObjects?: boolean
}

/**
 * Defines the tests that every publisher has to pass: an answer for each event in its order, and what it says is
 * published is on the bus.
 *
 * @example
 * ```ts
 * import { memoryBus } from '@sallyport/webhooks'
 * import { testPublisher } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testPublisher({ describe, expect, it }, { create: () => memoryBus(), keepsObjects: true })
 * ```
 */
export function testPublisher({ describe, it, expect }: TestRunner, fixture: PublisherFixture): void {
  const { deduplicates = true, ordered = true, keepsObjects } = fixture
  const forever = new AbortController().signal
  const batch = (count: number, prefix = 'doorbell') =>
    Array.from({ length: count }, (_, index) => eventOf(`${prefix}:${index}`, Date.UTC(2026, 0) + index))

  function test(
    name: string,
    body: (publisher: Publisher, published: () => Promise<readonly string[] | undefined>) => Promise<void>,
  ): void {
    it(name, async () => {
      const publisher = await fixture.create()
      try {
        await body(publisher, async () => {
          const ids = await fixture.published?.(publisher)
          return ordered ? ids : ids?.toSorted()
        })
      } finally {
        await fixture.destroy?.(publisher)
      }
    })
  }

  describe('publisher', () => {
    test('answers for each event of a batch', async (publisher, published) => {
      const events = batch(9)
      const results = await publisher.publish(events, forever)
      expect(results.map(({ ok }) => ok)).toEqual(events.map(() => true))
      const ids = await published()
      if (ids) expect(ids).toEqual(events.map(({ id }) => id))
    })

    test('answers nothing for nothing', async (publisher) => {
      expect(await publisher.publish([], forever)).toEqual([])
    })

    test('takes an id again', async (publisher, published) => {
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
      test('keeps one of two equal ids in a batch', async (publisher, published) => {
        const [event] = batch(1)
        if (!event) throw new Error('One event was asked for')
        const results = await publisher.publish([event, event], forever)
        expect(results.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
        const ids = await published()
        if (ids) expect(ids).toEqual([event.id])
      })

      test('keeps one of many that come at once', async (publisher) => {
        const results = await Promise.all(
          Array.from({ length: 8 }, () => publisher.publish(batch(5), forever)),
        )
        const first = results.flat().filter((result) => result.ok && result.duplicate !== true)
        expect(first.length).toBe(5)
      })
    }

    test(nameOfUnwritable(keepsObjects), async (publisher, published) => {
      const taken = await takeUnwritable(expect, (some) => publisher.publish(some, forever), keepsObjects)
      const ids = await published()
      if (ids && (deduplicates || !keepsObjects)) expect(ids).toEqual(taken)
    })

    test('publishes nothing once it was told to stop', async (publisher, published) => {
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
