import type { CompleteInbox, WebhookEvent, Publisher } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import type { EmbeddedBus } from '../src/bus/bus.ts'
import type { InboxTables } from '../src/internal/tables.ts'
import { getDelivery } from './records.ts'

const { signal } = new AbortController()

/** An event as the dispatcher enqueues it. */
const asQueued = (event: WebhookEvent): WebhookEvent => ({ ...event, id: `1000@${event.id}` })

/** Tests of deletion and erasure on an embedded bus, with the clock `now`. */
export function testBusUpkeep(
  open: (now: () => number) => Promise<{
    readonly bus: EmbeddedBus
    readonly inbox: CompleteInbox
    readonly queue: Publisher
    readonly kysely: Kysely<InboxTables>
  }>,
): void {
  const idsOn = async (bus: EmbeddedBus) => (await bus.read({ limit: 100 })).map(({ event }) => event.id)

  it('deletes the oldest events in batches and reuses no sequence', async () => {
    const clock = { now: 1000 }
    const { bus } = await open(() => clock.now)
    for (const id of ['a', 'b', 'c', 'd']) {
      await bus.publish([getDelivery(id).events[0]!.event], signal)
      clock.now += 10
    }
    const last = (await bus.read({ limit: 100 })).at(-1)
    expect(await bus.prune({ publishedForMs: 20, limit: 2 })).toEqual({ events: 2, more: true })
    expect(await bus.prune({ publishedForMs: 20, limit: 2 })).toEqual({ events: 1, more: false })
    expect(await idsOn(bus)).toEqual(['d'])
    await bus.prune({ publishedForMs: 0 })
    await bus.publish([getDelivery('a').events[0]!.event], signal)
    const [next] = await bus.read({ limit: 1 })
    expect(next?.sequence).toBeGreaterThan(last!.sequence)
    await expect(bus.prune({ publishedForMs: -1 })).rejects.toBeInstanceOf(TypeError)
    await expect(bus.prune({ publishedForMs: 1, limit: 0 })).rejects.toBeInstanceOf(TypeError)
  })

  it('keeps events that a consumer has not settled until they are too old', async () => {
    const clock = { now: 1000 }
    const { bus, kysely } = await open(() => clock.now)
    for (const id of ['a', 'b', 'c']) {
      await bus.publish([getDelivery(id).events[0]!.event], signal)
      clock.now += 10
    }
    const [a, , c] = (await bus.read({ limit: 3 })).map(({ sequence }) => sequence)
    await kysely
      .insertInto('bus_consumers')
      .values([
        { name: 'fast', position: c! },
        { name: 'slow', position: a! },
      ])
      .execute()
    expect(await bus.prune({ publishedForMs: 0 })).toEqual({ events: 1, more: false })
    expect(await idsOn(bus)).toEqual(['b', 'c'])
    expect(await bus.prune({ publishedForMs: 0, unreadForMs: 20 })).toEqual({ events: 1, more: false })
    expect(await idsOn(bus)).toEqual(['c'])
    await kysely.updateTable('bus_consumers').set({ position: c! }).where('name', '=', 'slow').execute()
    const waiting = { consumer: 'slow', sequence: c!, lane: 'front', failures: 1, error: 'Error', due_at: 0 }
    await kysely.insertInto('bus_waiting').values(waiting).execute()
    expect(await bus.prune({ publishedForMs: 0 })).toEqual({ events: 0, more: false })
    clock.now += 31 * 24 * 60 * 60 * 1000
    await bus.prune({ publishedForMs: 32 * 24 * 60 * 60 * 1000 })
    expect(await idsOn(bus)).toEqual(['c'])
    await bus.prune({ publishedForMs: 0 })
    expect(await idsOn(bus)).toEqual([])
    await expect(bus.prune({ publishedForMs: 0, unreadForMs: -1 })).rejects.toBeInstanceOf(TypeError)
  })

  it('erases the data of an event whose delivery is erased, and of no other', async () => {
    const { bus, inbox, queue, kysely } = await open(() => 1000)
    const id = 'erased\0\ud800'
    const [record] = getDelivery(id).events
    const delivery = getDelivery(id, { events: [{ ...record!, notify: false }] })
    await inbox.record(delivery)
    const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 1000 })
    await bus.publish([claimed!.event, getDelivery('kept').events[0]!.event], signal)
    await inbox.settle('publish', [{ id, lease: claimed!.lease, outcome: { status: 'done' } }])
    // The event was published before the drainer could settle it in the queue.
    const both = [claimed!.event, getDelivery('kept').events[0]!.event]
    await queue.publish(both.map(asQueued), signal)
    await inbox.eraseBody(delivery.id)
    expect(await kysely.selectFrom('queued_events').select('id').execute()).toEqual([{ id: '1000@kept' }])
    const [erased, kept] = (await bus.read({ limit: 10 })).map(({ event }) => event)
    const { data, ...rest } = claimed!.event
    expect(data).toEqual({ door: 'front' })
    expect(erased).toEqual({ ...rest, subject: '' })
    expect(kept?.data).toEqual({ door: 'front' })
  })

  // An event with a former id must lose its data too.
  it('erases the data of dead letters that had arrived before they were replayed as new', async () => {
    const { bus, inbox, queue, kysely } = await open(() => 1000)
    const [record] = getDelivery('first').events
    const delivery = getDelivery('first', { events: [{ ...record!, notify: false }] })
    await inbox.record(delivery)
    const ids: string[] = []
    // The first is given another id, published, and copied; the copy is given another id.
    const lost = { status: 'dead', error: 'the answer was lost' } as const
    for (const outcome of [lost, { status: 'done' }, lost, { status: 'done' }] as const) {
      const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 1000 })
      const { event, lease } = claimed!
      ids.push(event.id)
      await bus.publish([event], signal)
      await queue.publish([asQueued(event)], signal)
      await inbox.settle('publish', [{ id: event.id, lease, outcome }])
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
    }
    await inbox.forwarded(
      (await inbox.claim('publish', { limit: 10, leaseMs: 1000 })).map(({ event }) => event.id),
    )
    expect(await inbox.eraseBody(delivery.id)).toBe(true)
    const left = (await bus.read({ limit: 10 })).map(({ event }) => [event.id, event.data])
    expect(left).toEqual(ids.map((id) => [id, undefined]))
    const queued = ids.map((id) => `1000@${id}`)
    expect(await kysely.selectFrom('queued_events').select('id').where('id', 'in', queued).execute()).toEqual(
      [],
    )
  })
}
