import type { PublisherContext } from './publisher-context.ts'
import { endOf } from './publisher-failure.ts'
import { isHardToTake, oddEvents } from './publisher-odd-events.ts'
import { manyEvents, takeMany } from './unwritable-events.ts'

const { signal } = new AbortController()

export function testPublishedValues({ test, fixture }: PublisherContext): void {
  const { deduplicates = true, keepsObjects } = fixture

  test('answers for each of many events, and has each of them', async ({ publisher, published, expect }) => {
    const taken = await takeMany(expect, (some) => publisher.publish(some, signal), keepsObjects)
    if (deduplicates) {
      const again = await publisher.publish(manyEvents(), signal)
      const known = again.flatMap((result, index) => (result.ok && result.duplicate === true ? [index] : []))
      const events = manyEvents()
      expect(known.map((index) => events[index]?.id)).toEqual(taken)
    }
    const ids = await published()
    if (ids) expect(ids).toEqual(taken)
  })

  test('publishes events whole, and leaves them as they were', async (context) => {
    const { publisher, published, expect } = context
    const given = oddEvents()
    const results = await publisher.publish(given, signal)
    expect(given).toEqual(oddEvents())
    const ends = results.map(endOf)
    // What an engine cannot take as it is, it refuses: under another id it would be another event.
    const expected = given.map((event, index) =>
      isHardToTake(event) && ends[index] === 'failed' ? 'failed' : 'taken',
    )
    expect(ends).toEqual(expected)
    // No two of the ids are one.
    expect(results.filter((result) => result.ok && result.duplicate === true)).toEqual([])
    const taken = oddEvents().filter((_, index) => ends[index] === 'taken')
    if (fixture.ordered === false) taken.sort((one, other) => (one.id < other.id ? -1 : 1))
    if (fixture.events) {
      expect(await context.events()).toEqual(taken)
      return
    }
    const ids = await published()
    if (ids) expect(ids).toEqual(taken.map(({ id }) => id))
  })
}
