import { idsOf } from './inbox-context.ts'
import { oddEvents } from './publisher-odd-events.ts'
import { ackAll, all, events, forever, leaseMs, type QueueContext } from './queue-context.ts'
import { nameOfUnwritable, takeMany, takeUnwritable } from './unwritable-events.ts'

export function testQueuedValues({ test, expect, fixture }: QueueContext): void {
  test('gives what came in, in its order, whole', async ({ queue, now }) => {
    expect(await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)).toEqual([
      { ok: true, duplicate: false },
      { ok: true, duplicate: false },
    ])
    await queue.enqueue(events('doorbell:c'), forever)
    const received = await all(queue)
    expect(received.map(({ event }) => event)).toEqual(events('doorbell:a', 'doorbell:b', 'doorbell:c'))
    expect(received.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
    // Engines with a clock of their own are not far from this one.
    if (fixture.pass === undefined) expect(received.map(({ since }) => since - now())).toEqual([0, 0, 0])
    expect(queue.leaseMs).toBe(leaseMs)
  })

  test('answers nothing for nothing, and has nothing at first', async ({ queue }) => {
    expect(await queue.enqueue([], forever)).toEqual([])
    expect(await all(queue)).toEqual([])
  })

  test('keeps odd texts, data, traces and manual tests as they are', async ({ queue }) => {
    const odd = oddEvents()
    const results = await queue.enqueue(odd, forever)
    expect(results.filter((result) => !result.ok || result.duplicate === true)).toEqual([])
    expect(odd).toEqual(oddEvents())
    expect((await all(queue)).map(({ event }) => event)).toEqual(oddEvents())
  })

  test('gives each of many that came in at once', async ({ queue }) => {
    const taken = await takeMany(expect, (some) => queue.enqueue(some, forever), fixture.keepsObjects)
    // On a machine with much else to do, a lease may end before it is acknowledged.
    const given = new Set<string>()
    for (let some = await all(queue); some.length > 0; some = await all(queue)) {
      for (const { event } of some) given.add(event.id)
      await ackAll(some)
    }
    expect([...given].sort()).toEqual(taken)
  })

  test('has an id once while it is there, and takes it again later', async ({ queue }) => {
    const again = await queue.enqueue(events('doorbell:a', 'doorbell:a'), forever)
    expect(again.map((result) => result.ok && result.duplicate === true)).toEqual([false, true])
    const [held, ...others] = await all(queue)
    expect(others).toEqual([])
    expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: true }])
    expect(await held?.ack()).toBe(true)
    expect(await all(queue)).toEqual([])
    expect(await queue.enqueue(events('doorbell:a'), forever)).toEqual([{ ok: true, duplicate: false }])
    expect(idsOf(await all(queue))).toEqual(['doorbell:a'])
  })

  test(nameOfUnwritable(fixture.keepsObjects), async ({ queue }) => {
    const taken = await takeUnwritable(expect, (some) => queue.enqueue(some, forever), fixture.keepsObjects)
    expect(idsOf(await all(queue))).toEqual(taken)
  })

  test('takes nothing in once it was told to stop', async ({ queue }) => {
    const refused = await queue.enqueue(events('doorbell:a'), AbortSignal.abort()).then(
      (results) => results.every(({ ok }) => !ok),
      () => true,
    )
    expect(refused).toBe(true)
    expect(await all(queue)).toEqual([])
  })

  test('gives no more than it is asked for', async ({ queue }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b', 'doorbell:c'), forever)
    expect(idsOf(await queue.receive({ limit: 2, signal: forever }))).toEqual(['doorbell:a', 'doorbell:b'])
    expect(idsOf(await queue.receive({ limit: 2, signal: forever }))).toEqual(['doorbell:c'])
  })
}
