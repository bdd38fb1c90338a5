import { idsOf } from './inbox-context.ts'
import { all, events, forever, leaseMs, type QueueContext } from './queue-context.ts'

const hourMs = 3_600_000

export function testRetries({ test, expect, fixture }: QueueContext): void {
  test('gives again what was not acknowledged in time, and only then', async ({ queue, pass, reopen }) => {
    const other = await reopen()
    await queue.enqueue(events('doorbell:a', 'doorbell:in-an-hour'), forever)
    const [first, late] = await all(queue)
    // Not due before the end of this test, whatever clock the engine has.
    expect(await late?.retry(hourMs)).toBe(true)
    expect(await all(other)).toEqual([])
    await pass(leaseMs)
    const [second] = await all(other)
    expect([second?.event.id, second?.attempts]).toEqual(['doorbell:a', 1])
    expect(second?.since).toBe(first?.since)
    expect([await first?.ack(), await first?.retry(0)]).toEqual([false, false])
    expect(await all(queue)).toEqual([])
    expect(await second?.ack()).toBe(true)
    await pass(leaseMs)
    expect(await all(queue)).toEqual([])
  })

  test('gives back what is to be tried again, when it is due', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    expect([await a?.retry(1000), await b?.retry(0)]).toEqual([true, true])
    const [again, ...others] = await all(queue)
    expect([again?.event.id, again?.attempts, others.length]).toEqual(['doorbell:b', 1, 0])
    await pass(1000)
    const [later] = await all(queue)
    expect([later?.event.id, later?.attempts]).toEqual(['doorbell:a', 1])
  })

  test('counts each attempt, and keeps the time when it came in', async (context) => {
    const { queue, now, pass, reopen } = context
    const queues = [queue, await reopen()]
    const enqueuedAt = now()
    await queue.enqueue(events('doorbell:a'), forever)
    // A time of receipt is another one then; nothing is held meanwhile, whose lease could end.
    await pass(1)
    let since: number | undefined
    for (const attempts of [0, 1, 2, 3]) {
      const by = queues[attempts % 2] ?? queue
      const [held] = await by.receive({ limit: 10, waitMs: 60_000, signal: forever })
      since ??= held?.since
      expect([held?.attempts, held?.since]).toEqual([attempts, since])
      expect(await held?.retry(0)).toBe(true)
    }
    // Engines with a clock of their own are not far from this one.
    if (fixture.pass === undefined) expect(since).toBe(enqueuedAt)
  })

  if (fixture.pass === undefined) {
    test('gives nothing back before it is due, however long that is', async ({ queue, pass }) => {
      await queue.enqueue(events('doorbell:a'), forever)
      const [first] = await all(queue)
      await first?.retry(hourMs)
      await pass(hourMs - 1)
      expect(await all(queue)).toEqual([])
      await pass(1)
      expect(idsOf(await all(queue))).toEqual(['doorbell:a'])
    })
  }

  test('ends what was received once', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    expect([await a?.ack(), await a?.ack(), await a?.retry(0)]).toEqual([true, false, false])
    expect([await b?.retry(0), await b?.ack(), await b?.retry(0)]).toEqual([true, false, false])
    await pass(leaseMs)
    expect(idsOf(await all(queue))).toEqual(['doorbell:b'])
  })

  test('gives nothing back after a time that is none, and holds it on', async ({ queue, pass }) => {
    await queue.enqueue(events('doorbell:a', 'doorbell:b'), forever)
    const [a, b] = await all(queue)
    for (const afterMs of [Number.NaN, Infinity]) {
      const refused = await a?.retry(afterMs).catch((error: unknown) => error)
      expect(refused instanceof TypeError).toBe(true)
    }
    expect(await all(queue)).toEqual([])
    expect([await a?.ack(), await b?.retry(0)]).toEqual([true, true])
    await pass(leaseMs)
    expect(idsOf(await all(queue))).toEqual(['doorbell:b'])
  })
}
