import { SallyportError } from '@sallyport/errors'
import { createDelivery } from '@sallyport/test-support/records'
import { describe, expect, it, vi } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import { createEvent } from '../testing/index.ts'
import {
  createMemoryInbox,
  defineProvider,
  sharedToken,
  type Attempt,
  type DeliveryRecord,
  type Dispatcher,
  type LaneSettlement,
} from '../index.ts'
import type { Destination, DestinationMessage, DestinationResult } from '../ports/destination.ts'
import { createUnitRunner } from '../run/runner.ts'
import { createDestinationCounter } from './counter.ts'
import { createDestinations } from './destinations.ts'
import { createFanOut } from './fan-out.ts'
import { createMemoryDestinationStore } from './memory-store.ts'
import type { DestinationCounts } from './store.ts'

const pass = useOwnClock()
type Answer = Partial<DestinationResult> | Promise<Partial<DestinationResult>>

const signature = sharedToken({ header: 'x-token' })
const doorbell = defineProvider({ name: 'doorbell', signature, events: {}, normalize: () => [] })

const down = { outcome: 'retry', error: 'HTTP 503', unavailable: true } as const

/** A destination that answers as a function says, and keeps its messages. */
function script(
  name: string,
  answer: (message: DestinationMessage, signal: AbortSignal) => Answer = () => ({}),
  options: Partial<Destination> = {},
) {
  const messages: DestinationMessage[] = []
  const destination: Destination = {
    ...{ name, mode: 'event' },
    ...options,
    async send(message, signal) {
      messages.push(message)
      return { outcome: 'done', durationMs: 1, ...(await answer(message, signal)) }
    },
  }
  const ids = () => messages.map(({ events }) => events[0]?.id)
  return { destination, messages, ids }
}

function open(
  destinations: readonly Destination[],
  { inbox = createMemoryInbox(), store = createMemoryDestinationStore(), lanesOnly = false } = {},
) {
  const attempts: Attempt[] = []
  const onError = vi.fn()
  const counter = createDestinationCounter(store, onError)
  const opened = createDestinations({
    ...{ destinations, canChange: false, inbox, store, counter, onError },
    providers: [doorbell],
    random: () => 0,
  })
  const runner = createUnitRunner({
    ...{ inbox, on: {}, destinations: opened, lanesOnly, random: () => 0.5 },
    onAttempt: (attempt) => attempts.push(attempt),
  })
  const fanOut = createFanOut({ destinations: () => destinations, isHandled: () => false, onError })
  const rowsOf = (delivery: DeliveryRecord) => ({
    ...delivery,
    events: fanOut(delivery.events).map(({ record }) => record),
  })
  const record = (...events: Parameters<typeof createDelivery>[1][]) =>
    inbox.record(rowsOf(createDelivery(Date.now(), ...events)))
  return { attempts, inbox, store, runner, onError, record, rowsOf, opened }
}

async function end(runner: Dispatcher): Promise<void> {
  const stopped = runner.stop(0)
  await pass(2000)
  await stopped
}

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `doorbell:${from + index}`)

describe('destinations', () => {
  it('receive the events of their rows', async () => {
    const { destination, messages } = script('a')
    const { runner, record, attempts, inbox } = open([destination])
    runner.start()
    await record('doorbell:1')
    await pass(1000)
    expect(messages).toMatchObject([{ events: [{ id: 'doorbell:1' }], attempt: 1 }])
    expect(attempts).toMatchObject([{ destination: 'a', event: { id: 'doorbell:1' }, attempts: 1 }])
    expect((await inbox.stats()).events.pending).toBe(0)
    await end(runner)
  })

  it('receive a delivery as it came, with all of its events', async () => {
    const { destination, messages } = script('a', undefined, { mode: 'original' })
    const { runner, inbox, rowsOf } = open([destination])
    const delivery = createDelivery(Date.now(), 'doorbell:1', 'doorbell:2')
    await inbox.record(
      rowsOf({ ...delivery, headers: { 'x-a': '1', 'x-signature': '[redacted]' }, query: 'b=2' }),
    )
    runner.start()
    await pass(1000)
    expect(messages).toMatchObject([
      {
        events: [{ id: 'doorbell:1' }, { id: 'doorbell:2', source: { deliveryId: delivery.id } }],
        request: { headers: { 'x-a': '1' }, query: 'b=2', body: delivery.body },
      },
    ])
    expect(messages[0]?.request?.headers).toEqual({ 'x-a': '1' })
    await end(runner)
  })

  it('receive no value of redact, which stays stored', async () => {
    const redact = ['**.email', 'header:x-person']
    const event = script('event', undefined, { redact })
    const original = script('original', undefined, { mode: 'original', redact })
    const { runner, inbox, rowsOf } = open([event.destination, original.destination])
    const delivery = {
      ...createDelivery(Date.now(), {
        event: createEvent('doorbell:rung:ann%40x.org', Date.now(), { data: { email: 'ann@x.org', n: 1 } }),
      }),
      ...{
        headers: { 'x-person': 'ann', 'x-a': '1', digest: 'sha-256=abc' },
        query: 'email=ann%40x.org&b=2',
      },
      body: new TextEncoder().encode('{ "n": 12345678901234567890, "person": {"email":"ann@x.org"} }'),
    }
    await inbox.record(rowsOf(delivery))
    runner.start()
    await pass(1000)
    expect(event.messages).toMatchObject([{ events: [{ data: { email: '[redacted]', n: 1 } }] }])
    const { request, events } = original.messages[0] ?? {}
    expect(events?.map(({ id }) => id)).toEqual(event.ids())
    expect(new TextDecoder().decode(request?.body)).toBe(
      '{ "n": 12345678901234567890, "person": {"email":"[redacted]"} }',
    )
    expect([request?.headers, request?.query]).toEqual([{ 'x-a': '1' }, 'email=%5Bredacted%5D&b=2'])
    expect(JSON.stringify([event.messages, original.messages])).not.toContain('ann')
    expect((await inbox.getRequest?.(delivery.id))?.body).toEqual(delivery.body)
    await end(runner)
  })

  it.each([
    ['that is no JSON', 'doorbell', '<email>ann@x.org</email>'],
    ['of an unknown provider', 'other', '{"email":"ann@x.org"}'],
  ])('with redact do not receive a body %s', async (_, provider, text) => {
    const { destination, messages } = script('a', undefined, { mode: 'original', redact: ['**.email'] })
    const { runner, inbox, rowsOf, attempts } = open([destination])
    const created = createDelivery(Date.now(), 'doorbell:1')
    const events = created.events.map((record) => {
      const { event } = record
      return { ...record, event: { ...event, source: { ...event.source, provider } } }
    })
    await inbox.record(rowsOf({ ...created, provider, events, body: new TextEncoder().encode(text) }))
    runner.start()
    await pass(1000)
    expect(messages).toEqual([])
    expect(attempts.at(-1)?.outcome).toMatchObject({
      ...{ status: 'dead', error: expect.stringContaining('The body was not sent') as string },
    })
    await end(runner)
  })

  it('are refused for a malformed path of redact', () => {
    expect(() => open([script('a', undefined, { redact: ['a..b'] }).destination])).toThrow(/a\.\.b/)
  })

  it('have their counts stored when the runner has stopped', async () => {
    const { destination } = script('a', async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return {}
    })
    const states = createMemoryDestinationStore()
    let isStored = false
    const store = {
      ...states,
      async count(counts: readonly DestinationCounts[]) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await states.count(counts)
        isStored = true
      },
    }
    const { runner, record } = open([destination], { store })
    runner.start()
    await record('doorbell:1')
    await pass(200)
    const stopped = runner.stop(1000).then(() => isStored)
    await pass(2000)
    expect(await stopped).toBe(true)
  })

  it('receive nothing after a start before it is known that they are not paused', async () => {
    const { destination, messages } = script('a')
    const states = createMemoryDestinationStore()
    const store = {
      ...states,
      list: async () => {
        await new Promise((resolve) => setTimeout(resolve, 500))
        return await states.list()
      },
    }
    await store.pause('a')
    const { runner, record } = open([destination], { store })
    runner.start()
    await record('doorbell:1')
    await pass(5000)
    expect(messages).toEqual([])
    await store.resume('a')
    await pass(5000)
    expect(messages.length).toBe(1)
    await end(runner)
  })

  it('receive the request when their mode became original after an event was recorded', async () => {
    const { destination, messages } = script('a')
    const { runner, record, opened } = open([destination])
    await record('doorbell:1')
    opened.set([{ ...destination, mode: 'original' }])
    runner.start()
    await pass(2000)
    expect(messages).toMatchObject([{ events: [{ id: 'doorbell:1' }], request: {} }])
    await end(runner)
  })

  it('receive no event without its data when their mode became event after a delivery was recorded', async () => {
    const { destination, messages } = script('a', undefined, { mode: 'original' })
    const { runner, record, opened, attempts } = open([destination])
    await record('doorbell:1')
    opened.set([{ ...destination, mode: 'event' }])
    runner.start()
    await pass(2000)
    expect(messages).toEqual([])
    expect(attempts.at(-1)?.outcome).toMatchObject({ status: 'dead' })
    await end(runner)
  })

  it('receive waiting events at once after a change, and are not shown as unavailable', async () => {
    const bad = script('a', () => down, { retryDelaysMs: [1, 2].map(() => 3_600_000) })
    const good = script('a')
    const { runner, record, opened, store } = open([bad.destination])
    runner.start()
    await record(...ids(6))
    await pass(3000)
    expect(await store.list()).toMatchObject([{ openedAt: expect.any(Number) as number }])
    opened.set([good.destination])
    await pass(5000)
    expect(new Set(good.ids())).toEqual(new Set(ids(6)))
    expect((await store.list())[0]?.openedAt).toBeUndefined()
    await end(runner)
  })

  it('receive other ids in a replay as new', async () => {
    const { destination, messages } = script('a', undefined, { mode: 'original' })
    const { runner, inbox, rowsOf } = open([destination])
    const several = createDelivery(Date.now(), 'doorbell:1', 'doorbell:2')
    const one = createDelivery(Date.now(), 'doorbell:3')
    for (const delivery of [several, one]) await inbox.record(rowsOf(delivery))
    runner.start()
    await pass(1000)
    await inbox.replay({ ids: [several.id, one.id] }, { asNew: true })
    await pass(5000)
    const sent = messages.flatMap(({ events }) => events.map(({ id }) => id))
    expect(sent.length).toBe(6)
    expect(new Set(sent).size).toBe(6)
    await end(runner)
  })

  it('retry after the delays of a list, and are done with an event after the last one', async () => {
    const { destination, messages } = script('a', () => ({ outcome: 'retry', error: 'HTTP 409' }), {
      retryDelaysMs: [2000, 10_000],
    })
    const { runner, record, inbox, attempts } = open([destination])
    runner.start()
    await record('doorbell:1')
    await pass(1000)
    await pass(3000)
    expect(messages.length).toBe(2)
    await pass(8000)
    expect(messages.length).toBe(2)
    await pass(3000)
    expect(messages.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect((await inbox.stats()).events.dead).toBe(1)
    expect(attempts.at(-1)?.outcome).toMatchObject({ status: 'dead', error: 'HTTP 409' })
    await end(runner)
  })

  it('wait as long as a destination asks', async () => {
    const { destination, messages } = script('a', () => ({ outcome: 'retry', retryAfterMs: 30_000 }))
    const { runner, record } = open([destination])
    runner.start()
    await record('doorbell:1')
    await pass(29_000)
    expect(messages.length).toBe(1)
    await pass(4000)
    expect(messages.length).toBe(2)
    await end(runner)
  })

  it('end a request at its timeout, and never send an event that is too old', async () => {
    const { destination, messages } = script('a', () => new Promise(() => undefined), {
      ...{ timeoutMs: 100, retryDelaysMs: [5000], maxAgeMs: 4000 },
    })
    const { runner, record, attempts } = open([destination])
    runner.start()
    await record('doorbell:1')
    await pass(1200)
    expect(attempts[0]?.outcome).toMatchObject({ status: 'retry', error: 'TimeoutError' })
    await pass(7000)
    expect(attempts[1]?.outcome).toEqual({
      status: 'dead',
      error: 'The event is older than the maximum age of the destination, 4000 ms',
    })
    expect(messages.length).toBe(1)
    await end(runner)
  })

  it('keep the order of a subject while an event fails', async () => {
    let isDown = true
    const { destination, ids: sent } = script('a', () => (isDown ? { outcome: 'retry' } : {}), {
      order: 'subject',
    })
    const { runner, record } = open([destination])
    runner.start()
    await record(...ids(5))
    await pass(1500)
    expect(new Set(sent())).toEqual(new Set(['doorbell:0']))
    isDown = false
    await pass(5000)
    expect([...new Set(sent())]).toEqual(ids(5))
    await end(runner)
  })

  it('limit the requests at the same time', async () => {
    let running = 0
    let most = 0
    const { destination, messages } = script(
      'a',
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running--
        return {}
      },
      { concurrency: 3 },
    )
    const { runner, record } = open([destination])
    await record(...ids(60))
    runner.start()
    await pass(5000)
    expect([messages.length, most]).toEqual([60, 3])
    await end(runner)
  })

  it('limit the rate of all processes together', async () => {
    const store = createMemoryDestinationStore()
    const inbox = createMemoryInbox()
    const times: number[] = []
    const answer = () => {
      times.push(Date.now())
      return {}
    }
    const options = { ratePerSecond: 10, concurrency: 20 }
    const one = open([script('a', answer, options).destination], { inbox, store })
    const other = open([script('a', answer, options).destination], { inbox, store })
    await one.record(...ids(300))
    one.runner.start()
    other.runner.start()
    await pass(10_000)
    const { length } = times
    expect(length).toBeGreaterThan(80)
    expect(length).toBeLessThanOrEqual(105)
    const perSecond = Map.groupBy(times, (time) => Math.floor((time - (times[0] ?? 0)) / 1000))
    for (const some of perSecond.values()) expect(some.length).toBeLessThanOrEqual(14)
    await end(one.runner)
    await end(other.runner)
    await pass(1000)
  })

  it('stop after failures in a row, probe, and go on with all that waits', async () => {
    let isDown = true
    const { destination, messages, ids: sent } = script('a', () => (isDown ? down : {}))
    const { runner, record, store, inbox } = open([destination])
    await record(...ids(200))
    runner.start()
    await pass(1000)
    // Those that began before the breaker opened.
    expect(messages.length).toBeLessThanOrEqual(20)
    expect(await store.list()).toMatchObject([{ name: 'a', openedAt: expect.any(Number) as number }])
    const before = messages.length
    await pass(60_000)
    expect(messages.length - before).toBeGreaterThan(2)
    expect(messages.length - before).toBeLessThanOrEqual(8)
    isDown = false
    await pass(70_000)
    expect(new Set(sent()).size).toBe(200)
    expect((await inbox.stats()).events).toMatchObject({ pending: 0, dead: 0 })
    expect((await store.list())[0]).not.toHaveProperty('openedAt')
    await end(runner)
  })

  it('lose nothing in an hour of failures, and receive the events of a subject in their order after it', async () => {
    let isDown = true
    const failed = { ...down, error: 'HTTP 500', status: 500 } as const
    const { destination, messages } = script('a', () => (isDown ? failed : {}), { order: 'subject' })
    const { runner, record, inbox } = open([destination])
    runner.start()
    const subjects = ['front', 'back', 'garden']
    for (let minute = 0; minute < 60; minute++) {
      for (const subject of subjects)
        await record({ event: createEvent(`doorbell:${minute}:${subject}`, 0, { subject }) })
      await pass(60_000)
    }
    // A probe each half to whole minute, after the first ones.
    expect(messages.length).toBeLessThan(150)
    isDown = false
    const before = messages.length
    await pass(120_000)
    const sent = messages.slice(before).flatMap(({ events }) => events)
    for (const subject of subjects) {
      const own = sent.filter((event) => event.subject === subject).map(({ id }) => id)
      expect(own).toEqual(Array.from({ length: 60 }, (_, minute) => `doorbell:${minute}:${subject}`))
    }
    expect((await inbox.stats()).events).toMatchObject({ pending: 0, dead: 0 })
    await end(runner)
  })

  it('keep their lanes waiting for the result of a probe', async () => {
    const { destination } = script('a', () => down, { concurrency: 1, order: 'subject' })
    const inbox = createMemoryInbox()
    // The breaker lets a probe through while a lane returns.
    const settleLanes = async (settlements: readonly LaneSettlement[]) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return (await inbox.settleLanes?.(settlements)) ?? []
    }
    const makeLanesDue = vi.spyOn(inbox, 'makeLanesDue')
    const { runner, record } = open([destination], { inbox: { ...inbox, settleLanes, makeLanesDue } })
    runner.start()
    for (let round = 0; round < 40; round++) {
      await record(...ids(1, round))
      await pass(250)
    }
    expect(makeLanesDue).not.toHaveBeenCalled()
    await end(runner)
    await pass(1000)
  })

  it('do not count a message that cannot be sent as a sign of life', async () => {
    let isDown = true
    const { destination, messages } = script(
      'a',
      ({ events }) => (events[0]?.subject === 'unsendable' ? { outcome: 'dead' } : isDown ? down : {}),
      { retryDelaysMs: [60_000, 60_000] },
    )
    const { runner, record, store } = open([destination])
    runner.start()
    for (let round = 0; round < 10; round++) {
      await record(...ids(1, round))
      await pass(1000)
      await record({ event: createEvent(`doorbell:unsendable${round}`, 0, { subject: 'unsendable' }) })
      await pass(1000)
    }
    expect(await store.list()).toMatchObject([{ openedAt: expect.any(Number) as number }])
    expect(messages.length).toBeLessThan(20)
    isDown = false
    await pass(70_000)
    expect((await store.list())[0]).not.toHaveProperty('openedAt')
    await end(runner)
  })

  it('keep what arrives while they are paused, and lose nothing', async () => {
    const { destination, messages, ids: sent } = script('a')
    const other = script('b')
    const { runner, record, store, attempts } = open([destination, other.destination])
    await store.pause('a')
    runner.start()
    await pass(10)
    for (let round = 0; round < 10; round++) {
      await record(...ids(20, round * 20))
      await pass(1000)
    }
    expect(messages).toEqual([])
    expect(other.messages.length).toBe(200)
    expect(attempts.filter((attempt) => attempt.destination === 'a')).toEqual([])
    await store.resume('a')
    await pass(4000)
    expect(new Set(sent()).size).toBe(200)
    await end(runner)
  })

  it('are resumed before all of their lanes are due', async () => {
    const { destination } = script('a')
    const inbox = { ...createMemoryInbox(), makeLanesDue: () => Promise.resolve(1000) }
    const { runner, store, opened } = open([destination], { inbox })
    await store.pause('a')
    runner.start()
    await pass(10)
    await store.resume('a')
    let isRefreshed = false
    void opened.refresh().then(() => (isRefreshed = true))
    await pass(10)
    expect(isRefreshed).toBe(true)
    await end(runner)
  })

  it('are woken until they are paused again, and until all that waited is due by itself', async () => {
    const { destination } = script('a')
    const makeLanesDue = vi.fn(() => Promise.resolve(1000))
    const { runner, store, opened } = open([destination], { inbox: { ...createMemoryInbox(), makeLanesDue } })
    runner.start()
    opened.wake('a')
    await pass(5000)
    await store.pause('a')
    await opened.refresh()
    await pass(100)
    makeLanesDue.mockClear()
    await pass(10_000)
    expect(makeLanesDue).not.toHaveBeenCalled()
    await store.resume('a')
    await pass(70_000)
    expect(makeLanesDue).toHaveBeenCalled()
    makeLanesDue.mockClear()
    await pass(10_000)
    expect(makeLanesDue).not.toHaveBeenCalled()
    await end(runner)
  })

  it('pause when they are gone', async () => {
    const { destination, messages } = script('a', () => ({ outcome: 'gone', error: 'HTTP 410' }))
    const { runner, record, store, inbox } = open([destination])
    runner.start()
    await record(...ids(50))
    await pass(120_000)
    expect(messages.length).toBeLessThanOrEqual(10)
    expect(await store.list()).toMatchObject([{ name: 'a', pauseReason: 'HTTP 410' }])
    expect((await inbox.stats()).events).toMatchObject({ pending: 50, dead: 0 })
    await end(runner)
  })

  it('do not delay each other: 1,000 with one that is dead and one that hangs', async () => {
    const scripts = Array.from({ length: 1000 }, (_, index) =>
      script(
        `d${index}`,
        index === 0 ? () => down : index === 1 ? () => new Promise(() => undefined) : undefined,
        { concurrency: 2 },
      ),
    )
    const { runner, record } = open(scripts.map(({ destination }) => destination))
    runner.start()
    for (let round = 0; round < 3; round++) await record(...ids(1, round))
    await pass(3000)
    for (const { ids: sent } of scripts.slice(2)) expect(sent().toSorted()).toEqual(ids(3))
    await end(runner)
  })

  it('leave the rows of destinations that another process has', async () => {
    const { destination, messages } = script('a')
    const inbox = createMemoryInbox()
    const { record } = open([destination], { inbox })
    await record('doorbell:1')
    const without = open([], { inbox })
    without.runner.start()
    await pass(1000)
    expect(without.attempts).toEqual([])
    await end(without.runner)
    const again = open([destination], { inbox })
    again.runner.start()
    await pass(61_000)
    expect(messages.length).toBe(1)
    await end(again.runner)
  })

  it.each([
    [{ name: 'A' }, 'The name of a destination'],
    [{ name: 'a/b' }, 'The name of a destination'],
    [{ concurrency: 0 }, 'concurrency of a'],
    [{ ratePerSecond: 0 }, 'ratePerSecond of a'],
    [{ retryDelaysMs: [Number.NaN] }, 'retryDelaysMs of a'],
    [{ send: undefined as never }, 'The destination a.send must be a function'],
  ])('refuse %j', (options, message) => {
    const { destination } = script('a')
    expect(() => open([{ ...destination, ...options }])).toThrow(message)
  })

  it('change while they run, and keep the state of those that stay', async () => {
    const [kept, removed, added] = [script('a'), script('b'), script('c')]
    const { runner, record, opened, inbox, rowsOf } = open([kept.destination, removed.destination])
    runner.start()
    await record('doorbell:1')
    await pass(1000)
    opened.set([kept.destination, added.destination])
    const delivery = rowsOf(createDelivery(Date.now(), 'doorbell:2'))
    await inbox.record(delivery)
    await pass(1000)
    expect([kept, removed].map(({ messages }) => messages.length)).toEqual([2, 1])
    expect((await inbox.destinationBacklogs?.())?.map(({ name, events }) => [name, events])).toEqual([
      ['b', 1],
    ])
    opened.set([kept.destination, script('b', () => ({ outcome: 'done' })).destination])
    await pass(2000)
    expect((await inbox.stats()).events.pending).toBe(0)
    const twice = [kept.destination, kept.destination]
    expect(() => {
      opened.set(twice)
    }).toThrow('Two destinations have the same name')
    await end(runner)
  })

  it('send the event that made them pause at once when they are resumed', async () => {
    let isGone = true
    const { destination, messages } = script('a', () => (isGone ? { outcome: 'gone' } : {}))
    const { runner, record, store, opened } = open([destination])
    runner.start()
    await record('doorbell:1')
    await pass(3000)
    expect(messages.length).toBe(1)
    isGone = false
    await store.resume('a')
    await opened.refresh()
    await pass(1000)
    expect(messages.length).toBe(2)
    await end(runner)
  })

  it('stay paused during a read of the store that began before', async () => {
    const inner = createMemoryDestinationStore()
    const reads: PromiseWithResolvers<undefined>[] = []
    const store = {
      ...inner,
      async list() {
        const states = await inner.list()
        const read = Promise.withResolvers<undefined>()
        reads.push(read)
        await read.promise
        return states
      },
    }
    const { destination, messages } = script('a', () => ({ outcome: 'gone' }))
    const { runner, record } = open([destination], { store })
    runner.start()
    await pass(0)
    reads[0]?.resolve(undefined)
    await pass(2000)
    await record('doorbell:1', 'doorbell:2')
    await pass(1000)
    const sent = messages.length
    reads[1]?.resolve(undefined)
    await record('doorbell:3')
    await pass(1000)
    expect(messages.length).toBe(sent)
    for (const read of reads) read.resolve(undefined)
    await end(runner)
  })

  it('of another process are left to it within seconds', async () => {
    const { destination, messages } = script('a')
    const { runner: other, record, inbox, store } = open([destination])
    const { runner } = open([], { inbox, store })
    runner.start()
    await record('doorbell:1')
    await pass(500)
    other.start()
    await pass(3000)
    expect(messages.length).toBe(1)
    await end(other)
    await end(runner)
  })

  it('have the bodies of a limited number of bytes in memory', async () => {
    const inner = createMemoryInbox()
    let open_ = 0
    let most = 0
    const inbox = {
      ...inner,
      getRequest: () => Promise.resolve({ headers: {}, body: new Uint8Array(40 * 1024 * 1024) }),
    }
    const { destination, messages } = script(
      'a',
      async () => {
        most = Math.max(most, ++open_)
        await new Promise((resolve) => setTimeout(resolve, 100))
        open_--
        return {}
      },
      { mode: 'original' },
    )
    const { runner, record } = open([destination], { inbox })
    runner.start()
    for (const id of ids(30)) await record(id)
    await pass(20_000)
    expect(messages.length).toBe(30)
    expect(most).toBeLessThanOrEqual(12)
    await end(runner)
  })

  it.each([
    ['DECRYPTION_FAILED', 'dead'],
    ['BODY_CHANGED', 'dead'],
    ['ENCRYPTION_KEY_MISSING', 'pending'],
    ['BODY_UNAVAILABLE', 'pending'],
    ['BODY_MISSING', 'pending'],
  ])('in original mode whose delivery gives %s are %s', async (code, status) => {
    const getRequest = () => Promise.reject(new SallyportError(code, 'Unreadable'))
    const inbox = { ...createMemoryInbox(), getRequest }
    const { destination, messages } = script('a', undefined, { mode: 'original' })
    const { runner, record } = open([destination], { inbox })
    runner.start()
    await record('doorbell:1')
    await pass(5000)
    expect(messages).toEqual([])
    expect((await inbox.stats()).events).toMatchObject({ [status]: 1 })
    await end(runner)
  })

  it.each([0, 1])(
    'leave the lanes of handlers to their process, beside a bus (%i destinations)',
    async (count) => {
      const { destination, messages } = script('a')
      const { runner, inbox, record, onError } = open([destination].slice(0, count), { lanesOnly: true })
      const delivery = createDelivery(Date.now(), 'doorbell:1')
      const events = delivery.events.map((one) => ({ ...one, lane: { name: 'acme', isOrdered: true } }))
      await inbox.record({ ...delivery, events })
      runner.start()
      await record('doorbell:2')
      await pass(10_000)
      expect(messages).toHaveLength(count)
      expect(await inbox.get(delivery.id)).toMatchObject({ events: [{ status: 'pending', attempts: 0 }] })
      expect(onError).not.toHaveBeenCalled()
      await end(runner)
    },
  )

  it('report at the start that a library is missing', async () => {
    const missing = new Error('A library is missing')
    const { destination } = script('a', undefined, { prepare: () => Promise.reject(missing) })
    const { runner, onError } = open([destination])
    runner.start()
    await pass(0)
    expect(onError).toHaveBeenCalledExactlyOnceWith(missing)
    await end(runner)
  })

  it('wait as long as Retry-After says before the probe of an open breaker', async () => {
    const { destination, messages } = script('a', () => ({ ...down, retryAfterMs: 30_000 }))
    const { runner, record } = open([destination])
    runner.start()
    for (const id of ids(20)) await record(id)
    await pass(1000)
    const sent = messages.length
    await pass(28_000)
    expect(messages.length).toBe(sent)
    await pass(5000)
    expect(messages.length).toBeGreaterThan(sent)
    await end(runner)
  })
})
