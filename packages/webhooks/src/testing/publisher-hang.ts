import { eventOf } from './inbox-context.ts'
import type { PublisherContext } from './publisher-context.ts'
import { endOf, expectNothingTold, untold } from './publisher-failure.ts'

const event = (id: string) =>
  eventOf(id, Date.UTC(2026, 0), { subject: untold.subject, data: { text: untold.data } })

export function testHangingPublisher({ test, fixture }: PublisherContext): void {
  if (fixture.hang === undefined) return

  test('stops waiting for an answer when it is told to', async ({ publisher, expect }) => {
    // Nothing has to be opened any more when the engine falls silent.
    await publisher.publish([event('doorbell:before')], new AbortController().signal)
    await fixture.hang?.(publisher)
    const stop = new AbortController()
    const publishing = publisher.publish([event('doorbell:a'), event('doorbell:b')], stop.signal).then(
      (results) => results,
      () => undefined,
    )
    // So that what is aborted is under way, and not about to begin; where it is not yet, the test asks less.
    await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    const results = await publishing
    if (results === undefined) return
    expect(results.map(endOf)).toEqual(['retried', 'retried'])
    expectNothingTold(expect, results)
  })
}
