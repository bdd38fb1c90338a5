import { claimAll, listEventIds, settleAll } from '@sallyport/test-support/records'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { encodeBody, doorbell, never, openGateway, rung } from '../../test/doorbell.ts'
import { createDispatcher } from '../dispatch/dispatcher.ts'
import { createMemoryBus } from '../memory/bus.ts'
import { createMemoryInbox } from '../memory/inbox.ts'
import { defineProvider } from '../provider/provider.ts'
import { createReplayer } from './replayer.ts'

afterEach(() => {
  vi.useRealTimers()
})

const broken = encodeBody({ kind: 'broken', id: '7', door: 'back' })

/** The doorbell with a normalizer that reads what the old one could not. */
const mended = defineProvider({
  ...doorbell,
  normalize({ payload, headers }) {
    const { id, door } = payload as { id: string; door: string }
    const subject = headers.get('X-Door') ?? door
    return { kind: 'bell.rung', key: [id], subject, data: { door } } as const
  },
})

async function quarantined() {
  const inbox = createMemoryInbox()
  const opened = openGateway({ inbox })
  const sent = await opened.deliver({ body: broken, headers: { 'x-door': 'side' } })
  expect(sent.said).toBe('quarantined')
  return { ...opened, inbox, id: opened.recorded[0]!.record.id }
}

describe('a quarantined delivery', () => {
  it('becomes the events of a fixed normalizer once', async () => {
    const { inbox, id, deliver } = await quarantined()
    const replayer = createReplayer({ inbox, providers: [mended] })
    const event = 'doorbell:bell.rung:7'
    expect(await replayer.replay({ ids: [id] })).toEqual({
      deliveries: [{ id, outcome: 'replayed', events: [event] }],
    })
    const { status, events } = (await inbox.get(id))!
    expect([status, events[0]?.event.source.deliveryId, events[0]?.event.subject]).toEqual([
      'pending',
      id,
      'side',
    ])
    expect(await replayer.replay({ ids: [id] })).toEqual({
      deliveries: [{ id, outcome: 'unchanged', events: [] }],
    })
    expect(listEventIds(await claimAll(inbox))).toEqual([event])
    expect((await deliver({ body: broken })).said).toBe('quarantined')
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('stays in quarantine while the normalizer fails', async () => {
    const { inbox, id } = await quarantined()
    const told: unknown[] = []
    const replayer = createReplayer({
      inbox,
      providers: [doorbell],
      onQuarantined: (...given) => told.push(given),
    })
    const still = { id, outcome: 'quarantined', events: [] }
    expect(await replayer.replay({ ids: [id] })).toEqual({
      deliveries: [{ ...still, reason: 'NORMALIZER_FAILED' }],
    })
    expect(told).toMatchObject([[id, { message: 'Error' }]])
    expect(await createReplayer({ inbox, providers: [] }).replay({ ids: [id] })).toEqual({
      deliveries: [{ ...still, reason: 'UNKNOWN_PROVIDER' }],
    })
    expect((await inbox.get(id))?.status).toBe('quarantined')
  })

  it('stays in quarantine while JSON cannot represent its data', async () => {
    const { inbox, id, deliver } = await quarantined()
    await deliver({ body: encodeBody({ kind: 'broken', id: '8', door: 'back' }) })
    const oddly = defineProvider({
      ...doorbell,
      events: { 'bell.rung': z.object({ door: z.unknown() }) },
      normalize: ({ payload }) => {
        const { id: key } = payload as { id: string }
        return { kind: 'bell.rung', key: [key], subject: 'back', data: { door: key === '7' ? 7n : 'back' } }
      },
    })
    const all = { filter: { status: 'quarantined' }, limit: 10 } as const
    const { deliveries } = await createReplayer({ inbox, providers: [oddly] }).replay(all)
    expect(deliveries).toMatchObject([
      { id, outcome: 'quarantined', reason: 'NORMALIZER_FAILED' },
      { outcome: 'replayed', events: ['doorbell:bell.rung:8'] },
    ])
  })

  it('stays in quarantine when a schema times out', async () => {
    const { inbox, id, deliver } = await quarantined()
    await deliver({ body: encodeBody({ kind: 'broken', id: '8', door: 'front' }) })
    const asked = Promise.withResolvers<undefined>()
    const validate = (value: unknown) => {
      if ((value as { door: string }).door === 'front') return { value }
      asked.resolve(undefined)
      return never()
    }
    const hanging = {
      ...mended,
      events: { 'bell.rung': { '~standard': { version: 1, vendor: 'own', validate } } },
    } as const
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const all = { filter: { status: 'quarantined' }, limit: 10, order: 'oldest' } as const
    const replaying = createReplayer({ inbox, providers: [hanging] }).replay(all)
    await asked.promise
    await vi.advanceTimersByTimeAsync(9999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await replaying).deliveries).toMatchObject([
      { id, outcome: 'quarantined', reason: 'NORMALIZER_FAILED' },
      { outcome: 'replayed', events: ['doorbell:bell.rung:8'] },
    ])
    expect((await inbox.get(id))?.status).toBe('quarantined')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stays in quarantine without events until it is erased', async () => {
    const { inbox, id } = await quarantined()
    const told: unknown[] = []
    const replayer = createReplayer({
      inbox,
      providers: [{ ...mended, normalize: () => [] }],
      onQuarantined: (...given) => told.push(given),
    })
    expect(await replayer.replay({ ids: [id] })).toEqual({
      deliveries: [{ id, outcome: 'quarantined', reason: 'NO_EVENTS', events: [] }],
    })
    expect(told).toMatchObject([[id, { message: 'The normalizer returned no events' }]])
    expect((await inbox.get(id))?.status).toBe('quarantined')
    await inbox.eraseBody(id)
    expect((await replayer.replay({ ids: [id] })).deliveries).toMatchObject([{ outcome: 'erased' }])
  })

  it('leaves the quarantine when its events are duplicates', async () => {
    const { inbox, deliver } = await quarantined()
    const unchanged = (delivery: string) => ({
      deliveries: [{ id: delivery, outcome: 'unchanged', events: [] }],
    })
    await deliver({ body: rung('8') })
    await deliver({ body: encodeBody({ kind: 'broken', id: '8', door: 'back' }) })
    const [other] = await inbox.list({ status: 'quarantined', limit: 1 })
    expect(await createReplayer({ inbox, providers: [mended] }).replay({ ids: [other!.id] })).toEqual(
      unchanged(other!.id),
    )
  })

  it('is published under fresh ids when its ids are known', async () => {
    const { inbox, id, deliver } = await quarantined()
    await deliver({ body: rung('8') })
    await deliver({ body: encodeBody({ kind: 'broken', id: '8', door: 'back' }) })
    const replayer = createReplayer({ inbox, providers: [mended], newToken: () => 'fresh' })
    const { deliveries } = await replayer.replay(
      { filter: { status: 'quarantined' }, limit: 10 },
      { asNew: true },
    )
    expect(deliveries).toMatchObject([
      { id, outcome: 'replayed', events: ['doorbell:bell.rung:7'] },
      { outcome: 'replayed', events: ['doorbell:replay:fresh:1'] },
    ])
  })

  it('is erased together with its body', async () => {
    const { inbox, id } = await quarantined()
    await inbox.eraseBody(id)
    expect(await createReplayer({ inbox, providers: [mended] }).replay({ ids: [id] })).toEqual({
      deliveries: [{ id, outcome: 'erased', events: [] }],
    })
  })

  it('is accepted at any age of its events', async () => {
    const inbox = createMemoryInbox()
    const day = 24 * 60 * 60 * 1000
    const dated = defineProvider({
      ...doorbell,
      normalize({ payload }) {
        const { id, door } = payload as { id: string; door: string }
        const occurredAt = Date.UTC(2026, 0) - Number(id) * day
        return { kind: 'bell.rung', key: [id], subject: door, occurredAt, data: { door } } as const
      },
    })
    const { deliver, recorded, observed } = openGateway({
      inbox,
      providers: [dated],
      maxEventAgeMs: 30 * day,
    })
    expect((await deliver({ body: rung('30') })).said).toBe('accepted')
    expect((await deliver({ body: rung('31') })).said).toBe('quarantined')
    expect(observed.at(-1)).toMatchObject({ outcome: 'quarantined', reason: 'EVENT_TOO_OLD' })
    const { id } = recorded.at(-1)!.record
    expect(await inbox.get(id)).toMatchObject({ status: 'quarantined', reason: 'EVENT_TOO_OLD' })
    const { deliveries } = await createReplayer({ inbox, providers: [dated] }).replay({ ids: [id] })
    expect(deliveries).toEqual([{ id, outcome: 'replayed', events: ['doorbell:bell.rung:31'] }])
    // A manual test has no separate time.
    expect((await deliver({ body: encodeBody({ type: 'bell.rung', payload: { door: 'x' } }) })).said).toBe(
      'accepted',
    )
  })
})

describe('a published delivery', () => {
  it('is due again under its id or a fresh one', async () => {
    const { inbox, id, deliver, recorded } = await quarantined()
    await deliver({ body: rung('1') })
    await settleAll(inbox)
    const published = recorded.at(-1)!.record.id
    const replayer = createReplayer({ inbox, providers: [mended] })
    const first = await replayer.replay({ filter: {}, limit: 1 })
    expect(first.deliveries).toMatchObject([{ id, outcome: 'replayed' }])
    const second = await replayer.replay({ filter: {}, limit: 9, after: first.next! })
    expect(second).toEqual({
      deliveries: [{ id: published, outcome: 'replayed', events: ['doorbell:bell.rung:1'], republished: 1 }],
    })
    await settleAll(inbox)
    const { deliveries } = await replayer.replay({ ids: [published] }, { asNew: true })
    expect(deliveries[0]?.events).toEqual([expect.stringMatching(/^doorbell:replay:/)])
  })

  it('is published and notified at once with a dispatcher', async () => {
    const { inbox, id } = await quarantined()
    const [bus, told] = [createMemoryBus(), [] as string[]]
    const dispatcher = createDispatcher({
      inbox,
      publisher: bus,
      // Longer than this test: without being woken, it would find nothing.
      pollMs: 3_600_000,
      notifications: {
        providers: [mended],
        notifier: { notify: (_, event) => Promise.resolve(void told.push(event.id)) },
      },
    })
    dispatcher.start()
    await createReplayer({ inbox, providers: [mended], dispatcher }).replay({ ids: [id] })
    await expect.poll(() => told).toEqual(['doorbell:bell.rung:7'])
    expect(bus.events.map((event) => event.id)).toEqual(told)
    await dispatcher.stop()
  })
})
