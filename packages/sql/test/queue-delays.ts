import type { Queue } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { getDelivery } from './records.ts'

const { signal } = new AbortController()

/** Tests of waiting, on two queues that share nothing but the database and its clock. */
export function testQueueDelays(
  open: (options?: { now?: () => number; leaseMs?: number }) => Promise<readonly [Queue, Queue]>,
): void {
  it('wakes a receiver for what another process enqueues', async () => {
    const [queue, other] = await open()
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal })
    await other.enqueue([getDelivery('queue:elsewhere').events[0]!.event], signal)
    const [received] = await waiting
    expect(received?.event.id).toBe('queue:elsewhere')
    await Promise.all([queue.close(), other.close()])
  })

  // A held event once waited until the clock had caught up.
  it('ends the leases of a dead receiver within a lease after the clock was set back', async () => {
    let time = Date.UTC(2026, 0)
    const [queue, other] = await open({ now: () => time, leaseMs: 1000 })
    await queue.enqueue([getDelivery('queue:held').events[0]!.event], signal)
    await queue.receive({ limit: 10, signal })
    await queue.enqueue([getDelivery('queue:waiting').events[0]!.event], signal)
    time -= 24 * 3_600_000
    const receive = async () => (await other.receive({ limit: 10, signal })).map(({ event }) => event.id)
    expect(await receive()).toEqual(['queue:waiting'])
    time += 999
    expect(await receive()).toEqual([])
    time += 1
    expect(await receive()).toContain('queue:held')
    await Promise.all([queue.close(), other.close()])
  })

  it('wakes a receiver for an event that is due again, and rejects an invalid delay', async () => {
    const [queue, other] = await open()
    await queue.enqueue([getDelivery('queue:again').events[0]!.event], signal)
    const [first] = await queue.receive({ limit: 10, signal })
    await expect(first!.retry(Number.NaN)).rejects.toBeInstanceOf(TypeError)
    const waiting = other.receive({ limit: 10, waitMs: 60_000, signal })
    await first!.retry(50)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
    await expect(queue.receive({ limit: -1, signal })).rejects.toBeInstanceOf(TypeError)
    await Promise.all([queue.close(), other.close()])
  })
}
