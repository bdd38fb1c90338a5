import type { InternalEvent } from '../ports/event.ts'
import type { MaybePromise, Publisher } from '../ports/ports.ts'
import type { TestRunner } from './runner.ts'

export interface PublisherFixture {
  /** A publisher on an empty bus. */
  create(): MaybePromise<Publisher>
  /**
   * The ids on the publisher's bus, in the order that it keeps; left out where nobody can look. Asked for once in a test.
   *
   * @default the ids of `events`
   */
  published?(publisher: Publisher): MaybePromise<readonly string[]>
  /**
   * The events on the publisher's bus, whole, in the order that it keeps; left out where they have another form there, of
   * which only the ids are looked at.
   */
  events?(publisher: Publisher): MaybePromise<readonly InternalEvent[]>
  /** Lets the engine answer nothing until `destroy`; left out where it cannot be kept from it. */
  hang?(publisher: Publisher): MaybePromise<unknown>
  /** Gives a publisher back after its test. */
  destroy?(publisher: Publisher): MaybePromise<void>
  /** Whether the engine tells an id that it knows, and keeps it once. @default true */
  readonly deduplicates?: boolean
  /** Whether the bus keeps the order of a batch. @default true */
  readonly ordered?: boolean
  /** Whether events stay objects, of which not all need be writable as JSON. @default false */
  readonly keepsObjects?: boolean
}

/** What a test of the suite is given; it looks at the bus once, in one of the two ways. */
interface PublisherTest {
  readonly publisher: Publisher
  /** The ids on the bus, in an order that is known; undefined where nobody can look. */
  readonly published: () => Promise<readonly string[] | undefined>
  /** The events on the bus, in an order that is known; undefined where nobody can look at them. */
  readonly events: () => Promise<readonly InternalEvent[] | undefined>
  readonly expect: TestRunner['expect']
}

export interface PublisherContext {
  readonly test: (name: string, body: (context: PublisherTest) => Promise<void>) => void
  readonly fixture: PublisherFixture
}

export function publisherContext({ it, expect }: TestRunner, fixture: PublisherFixture): PublisherContext {
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
