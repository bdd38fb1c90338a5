import { idsOf } from './inbox-context.ts'
import { all, events, forever, type QueueContext } from './queue-context.ts'

export function testWaits({ test, expect }: QueueContext): void {
  test('waits for a first event, for so long at most', async ({ queue }) => {
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: forever })
    await queue.enqueue(events('doorbell:a'), forever)
    const received = await waiting
    expect(idsOf(received)).toEqual(['doorbell:a'])
    expect(await queue.receive({ limit: 10, waitMs: 20, signal: forever })).toEqual([])
  })

  test('waits no longer when it is told to stop', async ({ queue }) => {
    const stop = new AbortController()
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: stop.signal })
    stop.abort()
    expect(await waiting).toEqual([])
    await queue.enqueue(events('doorbell:a'), forever)
    expect(idsOf(await all(queue))).toEqual(['doorbell:a'])
  })

  test('ends every wait when it is closed, and refuses everything then', async ({ queue }) => {
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: forever })
    await queue.close()
    expect(await waiting).toEqual([])
    const refused = (promise: Promise<unknown>) =>
      promise.then(
        () => false,
        () => true,
      )
    expect(await refused(queue.enqueue(events('doorbell:a'), forever))).toBe(true)
    expect(await refused(all(queue))).toBe(true)
  })
}
