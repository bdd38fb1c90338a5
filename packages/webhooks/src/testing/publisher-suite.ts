import type { WebhookEvent } from '../ports/event.ts'
import type { MaybePromise, Publisher } from '../ports/ports.ts'
import {
  createEvent,
  createReference,
  getOutcome,
  expectConfidential,
  isUnrepresentable,
  createLargeBatch,
  unserializableTestTitle,
  createUnusualEvents,
  checkLargeBatch,
  checkUnserializableEvents,
  confidential,
} from './events.ts'
import type { TestRunner } from './runner.ts'

export interface PublisherFixture {
  /** Creates a publisher with an empty bus. */
  create(): MaybePromise<Publisher>
  /**
   * Returns the ids on the bus in their order. Omit it if the bus cannot be read. A test calls it once.
   *
   * @default the ids of `events`
   */
  published?(publisher: Publisher): MaybePromise<readonly string[]>
  /**
   * Returns the events on the bus in their order. Omit it if the bus stores another form of events.
   */
  events?(publisher: Publisher): MaybePromise<readonly WebhookEvent[]>
  /** Stops the engine from answering until `destroy`. Omit it if the engine cannot hang. */
  hang?(publisher: Publisher): MaybePromise<unknown>
  /** Releases a publisher after its test. */
  destroy?(publisher: Publisher): MaybePromise<void>
  /** Whether the engine deduplicates by id. @default true */
  readonly deduplicates?: boolean
  /** Whether the bus keeps the order of a batch. @default true */
  readonly ordered?: boolean
  /** A number of bytes of data that is too large for the bus. Omit it for a bus without a limit. */
  readonly tooLargeBytes?: number
  /** Whether events stay objects and are not serialized as JSON. @default false */
  readonly keepsObjects?: boolean
}

/** The context of a test, which reads the bus once. */
interface PublisherTest {
  readonly publisher: Publisher
  /** Returns the ids on the bus in a known order, or undefined for a bus that cannot be read. */
  readonly published: () => Promise<readonly string[] | undefined>
  /** Returns the events on the bus in a known order, or undefined for a bus that cannot be read. */
  readonly events: () => Promise<readonly WebhookEvent[] | undefined>
  readonly expect: TestRunner['expect']
}

interface PublisherContext {
  readonly test: (name: string, body: (context: PublisherTest) => Promise<void>) => void
  readonly fixture: PublisherFixture
}

function createPublisherContext({ it, expect }: TestRunner, fixture: PublisherFixture): PublisherContext {
  const { ordered = true } = fixture
  const events = async (publisher: Publisher) => {
    const found = await fixture.events?.(publisher)
    return ordered ? found : found?.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }
  const published = async (publisher: Publisher) => {
    if (fixture.published === undefined) return (await events(publisher))?.map(({ id }) => id)
    const ids = await fixture.published(publisher)
    return ordered ? ids : ids.toSorted()
  }

  function test(name: string, body: (context: PublisherTest) => Promise<void>): void {
    it(name, async () => {
      const publisher = await fixture.create()
      try {
        await body({
          publisher,
          published: () => published(publisher),
          events: () => events(publisher),
          expect,
        })
      } finally {
        await fixture.destroy?.(publisher)
      }
    })
  }
  return { test, fixture }
}

/**
 * Defines the conformance tests of publishers.
 *
 * @example
 * ```ts
 * import { createMemoryBus, type MemoryBus } from '@sallyport/webhooks'
 * import { testPublisher } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testPublisher(
 *   { describe, expect, it },
 *   { create: () => createMemoryBus(), events: (bus) => (bus as MemoryBus).events, keepsObjects: true },
 * )
 * ```
 */
export function testPublisher(runner: TestRunner, fixture: PublisherFixture): void {
  const { deduplicates = true, keepsObjects } = fixture
  const context = createPublisherContext(runner, fixture)
  const { test } = context
  const unaborted = createSignal()
  const batch = (count: number, prefix = 'doorbell') =>
    Array.from({ length: count }, (_, index) => createEvent(`${prefix}:${index}`, Date.UTC(2026, 0) + index))

  runner.describe('publisher', () => {
    test('returns a result for each event of a batch', async ({ publisher, published, expect }) => {
      const events = batch(9)
      const results = await publisher.publish(events, unaborted)
      expect(results.map(({ ok }) => ok)).toEqual(events.map(() => true))
      const ids = await published()
      if (ids) expect(ids).toEqual(events.map(({ id }) => id))
    })

    test('returns no results for an empty batch', async ({ publisher, expect }) => {
      expect(await publisher.publish([], unaborted)).toEqual([])
    })

    test('accepts a published id again', async ({ publisher, published, expect }) => {
      const events = batch(3)
      await publisher.publish(events, unaborted)
      const results = await publisher.publish([...batch(1, 'mailbox'), ...events], unaborted)
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
      test('deduplicates equal ids of a batch', async ({ publisher, published, expect }) => {
        const [event] = batch(1)
        if (!event) throw new Error('Expected one event')
        const results = await publisher.publish([event, event], unaborted)
        expect(results.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
        const ids = await published()
        if (ids) expect(ids).toEqual([event.id])
      })

      test('deduplicates ids of concurrent batches', async ({ publisher, expect }) => {
        const results = await Promise.all(
          Array.from({ length: 8 }, () => publisher.publish(batch(5), unaborted)),
        )
        const first = results.flat().filter((result) => result.ok && result.duplicate !== true)
        expect(first.length).toBe(5)
      })
    }

    test(unserializableTestTitle(keepsObjects), async ({ publisher, published, expect }) => {
      const taken = await checkUnserializableEvents(
        expect,
        (some) => publisher.publish(some, unaborted),
        keepsObjects,
      )
      const ids = await published()
      if (ids && (deduplicates || !keepsObjects)) expect(ids).toEqual(taken)
    })

    testPublishedValues(context)
    testLargeEvents(context)
    testHangingPublisher(context)

    test('publishes nothing after the signal is aborted', async ({ publisher, published, expect }) => {
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

/** Creates a signal that is never aborted. Some runtimes forbid to create it in the scope of a module. */
const createSignal = () => new AbortController().signal

function testPublishedValues({ test, fixture }: PublisherContext): void {
  const { deduplicates = true, keepsObjects } = fixture

  test('publishes every event of a large batch', async ({ publisher, published, expect }) => {
    const taken = await checkLargeBatch(
      expect,
      (some) => publisher.publish(some, createSignal()),
      keepsObjects,
    )
    if (deduplicates) {
      const again = await publisher.publish(createLargeBatch(), createSignal())
      const known = again.flatMap((result, index) => (result.ok && result.duplicate === true ? [index] : []))
      const events = createLargeBatch()
      expect(known.map((index) => events[index]?.id)).toEqual(taken)
    }
    const ids = await published()
    if (ids) expect(ids).toEqual(taken)
  })

  test('publishes events unchanged and does not modify them', async (context) => {
    const { publisher, published, expect } = context
    const given = createUnusualEvents()
    const results = await publisher.publish(given, createSignal())
    expect(given).toEqual(createUnusualEvents())
    const ends = results.map(getOutcome)
    // An engine must reject an id that it cannot store unchanged.
    const expected = given.map((event, index) =>
      isUnrepresentable(event) && ends[index] === 'failed' ? 'failed' : 'taken',
    )
    expect(ends).toEqual(expected)
    expect(results.filter((result) => result.ok && result.duplicate === true)).toEqual([])
    const taken = createUnusualEvents().filter((_, index) => ends[index] === 'taken')
    if (fixture.ordered === false) taken.sort((one, other) => (one.id < other.id ? -1 : 1))
    if (fixture.events) {
      expect(await context.events()).toEqual(taken)
      return
    }
    const ids = await published()
    if (ids) expect(ids).toEqual(taken.map(({ id }) => id))
  })
}

/** Defines the test of an event that is too large, as the dispatcher publishes it: first with data, then with a reference. */
function testLargeEvents({ test, fixture }: PublisherContext): void {
  const { tooLargeBytes, ordered = true } = fixture
  if (tooLargeBytes === undefined) return

  test('reports an event that is too large, and publishes it with a reference to its data', async (context) => {
    const { publisher, published, expect } = context
    const large = { ...event('doorbell:b'), data: { [confidential.data]: 'x'.repeat(tooLargeBytes) } }
    const results = await publisher.publish([event('doorbell:a'), large, event('doorbell:c')], createSignal())
    expect(results.map(getOutcome)).toEqual(['taken', 'failed', 'taken'])
    expect(results.map((result) => !result.ok && result.tooLarge === true)).toEqual([false, true, false])
    expectConfidential(expect, results)

    const reference = createReference('doorbell:b')
    expect((await publisher.publish([reference], createSignal())).map(getOutcome)).toEqual(['taken'])
    const ids = ordered
      ? ['doorbell:a', 'doorbell:c', 'doorbell:b']
      : ['doorbell:a', 'doorbell:b', 'doorbell:c']
    if (fixture.events) {
      const events = await context.events()
      expect(events?.map(({ id }) => id)).toEqual(ids)
      expect(events?.filter(({ id }) => id === 'doorbell:b')).toEqual([reference])
      return
    }
    const found = await published()
    if (found) expect(found).toEqual(ids)
  })
}

const event = (id: string) =>
  createEvent(id, Date.UTC(2026, 0), { subject: confidential.subject, data: { text: confidential.data } })

function testHangingPublisher({ test, fixture }: PublisherContext): void {
  if (fixture.hang === undefined) return

  test('stops waiting when the signal is aborted', async ({ publisher, expect }) => {
    // The first batch opens the connection.
    await publisher.publish([event('doorbell:before')], createSignal())
    await fixture.hang?.(publisher)
    const stop = new AbortController()
    const publishing = publisher.publish([event('doorbell:a'), event('doorbell:b')], stop.signal).then(
      (results) => results,
      () => undefined,
    )
    // The delay lets the attempt start before the abort.
    await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    const results = await publishing
    if (results === undefined) return
    expect(results.map(getOutcome)).toEqual(['retried', 'retried'])
    expectConfidential(expect, results)
  })
}
