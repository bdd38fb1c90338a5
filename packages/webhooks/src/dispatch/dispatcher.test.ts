import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createDispatcher,
  defineProvider,
  hmac,
  createMemoryBus,
  createMemoryInbox,
  type Attempt,
  type DeliveryRecord,
  type Dispatcher,
  type CompleteInbox,
  type Inbox,
  type WebhookEvent,
  type Publisher,
  type PublishResult,
} from '../index.ts'
import type { DispatcherOptions } from './dispatcher.ts'

const event = (id: string): WebhookEvent => ({
  id,
  name: 'doorbell/bell.rung',
  subject: 'front',
  ts: 0,
  data: { door: 'front' },
  source: { provider: 'doorbell', deliveryId: `delivery-${id}`, receivedAt: 0 },
})
const delivery = (id: string, notify = false): DeliveryRecord => ({
  id: `delivery-${id}`,
  provider: 'doorbell',
  receivedAt: Date.now(),
  headers: {},
  body: new Uint8Array(10),
  events: [{ event: event(id), route: 'direct', notify }],
})
const doorbell = defineProvider({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize: () => [],
  notify: ({ id }) => {
    if (id === 'unreadable') throw new Error('cannot be read')
    return { title: id, text: 'The bell rang', severity: 'info' }
  },
})

describe('createDispatcher', () => {
  const running: Dispatcher[] = []
  afterEach(async () => {
    for (const dispatcher of running.splice(0)) await dispatcher.stop()
  })

  function start(options: Partial<DispatcherOptions> & { inbox: CompleteInbox; publisher: Publisher }) {
    const attempts: Attempt[] = []
    const dispatcher = createDispatcher({
      pollMs: 10,
      timeoutMs: 200,
      leaseMs: 1000,
      backoff: { baseMs: 1 },
      onAttempt: (attempt) => attempts.push(attempt),
      ...options,
    })
    dispatcher.start()
    running.push(dispatcher)
    return { dispatcher, attempts }
  }

  async function recordThrough(dispatcher: Dispatcher, inbox: CompleteInbox, record: DeliveryRecord) {
    const place = dispatcher.reserve(record)
    place?.fill(await inbox.record(record, { leaseMs: place.leaseMs }))
    return place
  }

  it('publishes recorded events from memory and claims events of other processes', async () => {
    const inbox = createMemoryInbox()
    const bus = createMemoryBus()
    await inbox.record(delivery('left'))
    const claims: number[] = []
    const watched: CompleteInbox = {
      ...inbox,
      claim: async (work, options) => {
        const claimed = await inbox.claim(work, options)
        claims.push(claimed.length)
        return claimed
      },
    }
    const { dispatcher } = start({ inbox: watched, publisher: bus })
    await recordThrough(dispatcher, inbox, delivery('own'))
    await expect.poll(() => inbox.countPublished({})).toBe(2)
    expect(claims.reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  it('retries a failure until it is final or too old', async () => {
    const inbox = createMemoryInbox()
    const failing = new Map([
      ['flaky', [true, true]],
      ['final', [false]],
    ])
    const { attempts } = start({
      inbox,
      publisher: {
        publish: async (events) =>
          events.map(({ id }) => {
            const retryable = failing.get(id)?.shift()
            return retryable === undefined ? { ok: true } : { ok: false, retryable, error: 'no' }
          }),
      },
    })
    for (const id of ['flaky', 'final']) await inbox.record(delivery(id))
    await expect
      .poll(() => attempts.filter((one) => one.event.id === 'flaky').map((one) => one.outcome.status))
      .toEqual(['retry', 'retry', 'done'])
    expect(attempts.filter((one) => one.event.id === 'final').map((one) => one.outcome.status)).toEqual([
      'dead',
    ])

    const late = createMemoryInbox()
    await late.record({ ...delivery('late'), receivedAt: 0 })
    const { attempts: lateAttempts } = start({
      inbox: late,
      publisher: { publish: () => Promise.reject(new Error('bus is down')) },
      backoff: { baseMs: 1, giveUpAfterMs: 30 },
    })
    await expect.poll(() => lateAttempts.at(-1)?.outcome.status).toBe('dead')
  })

  it('retries after a timeout of the bus', async () => {
    const inbox = createMemoryInbox()
    let hanging = true
    const bus = createMemoryBus()
    const publisher: Publisher = {
      publish: (events, signal) => (hanging ? new Promise(() => undefined) : bus.publish(events, signal)),
    }
    const { dispatcher, attempts } = start({ inbox, publisher, timeoutMs: 30 })
    await recordThrough(dispatcher, inbox, delivery('1'))
    await expect.poll(() => attempts.length).toBeGreaterThan(0)
    expect(attempts[0]?.outcome.status).toBe('retry')
    hanging = false
    await expect.poll(() => inbox.countPublished({})).toBe(1)
  })

  it('starts no attempt that could outlive its lease', async () => {
    const inbox = createMemoryInbox()
    let published = 0
    const slow: Publisher = {
      publish: async (events) => {
        published += events.length
        await sleep(60)
        return events.map(() => ({ ok: true }))
      },
    }
    const options = {
      inbox,
      publisher: slow,
      timeoutMs: 80,
      leaseMs: 100,
      concurrency: 1,
      batchSize: 1,
      pollMs: 10_000,
    }
    const { dispatcher } = start(options)
    await sleep(5)
    for (const id of ['1', '2', '3', '4']) await recordThrough(dispatcher, inbox, delivery(id))
    await sleep(250)
    expect(published).toBe(1)
  })

  it('releases waiting work at its stop', async () => {
    const inbox = createMemoryInbox()
    const gate = Promise.withResolvers<undefined>()
    const begun = Promise.withResolvers<undefined>()
    const blocked: Publisher = {
      publish: async (events) => {
        begun.resolve(undefined)
        await gate.promise
        return events.map(() => ({ ok: true }))
      },
    }
    const { dispatcher } = start({ inbox, publisher: blocked, concurrency: 1, batchSize: 1 })
    await sleep(5)
    for (const id of ['1', '2', '3']) await recordThrough(dispatcher, inbox, delivery(id))
    await begun.promise
    const stopping = dispatcher.stop()
    gate.resolve(undefined)
    await stopping
    expect(await inbox.countPublished({})).toBe(1)
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 1000 })
    expect(claimed.map((one) => one.event.id).sort()).toEqual(['2', '3'])
  })

  it('limits events and bytes in memory', async () => {
    const inbox = createMemoryInbox()
    const { dispatcher } = start({ inbox, publisher: createMemoryBus(), memoryEvents: 2 })
    expect(dispatcher.reserve(delivery('1'))).toBeDefined()
    const second = dispatcher.reserve(delivery('2'))
    expect(dispatcher.reserve(delivery('3'))).toBeUndefined()
    second?.giveUp()
    expect(dispatcher.reserve(delivery('3'))).toBeDefined()

    const { dispatcher: small } = start({ inbox, publisher: createMemoryBus(), memoryBytes: 15 })
    expect(small.reserve(delivery('1'))).toBeDefined()
    expect(small.reserve(delivery('2'))).toBeUndefined()
  })

  it('notifies after the publication and retries notifications separately', async () => {
    const inbox = createMemoryInbox()
    const told: string[] = []
    let failures = 2
    const { attempts } = start({
      inbox,
      publisher: createMemoryBus(),
      notifications: {
        providers: [doorbell],
        notifier: {
          notify: async ({ title }) => {
            if (failures-- > 0) throw new Error('operator is unreachable')
            told.push(title)
          },
        },
      },
    })
    await inbox.record(delivery('1', true))
    await inbox.record(delivery('quiet', false))
    await expect.poll(() => told).toEqual(['1'])
    expect(attempts.filter(({ work }) => work === 'publish')).toHaveLength(2)
    expect(attempts.filter(({ work }) => work === 'notify').map(({ outcome }) => outcome.status)).toEqual([
      'retry',
      'retry',
      'done',
    ])
    await inbox.record(delivery('unreadable', true))
    await expect.poll(() => attempts.at(-1)?.outcome.status).toBe('dead')
  })

  it('runs the notifications of published events without a claim', async () => {
    const inbox = createMemoryInbox()
    const claims: string[] = []
    const watched: CompleteInbox = {
      ...inbox,
      claim(work, options) {
        claims.push(work)
        return inbox.claim(work, options)
      },
    }
    const sent: string[] = []
    const { dispatcher, attempts } = start({
      inbox: watched,
      publisher: createMemoryBus(),
      pollMs: 60_000,
      notifications: {
        providers: [doorbell],
        notifier: { notify: async ({ title }) => void sent.push(title) },
      },
    })
    await expect.poll(() => claims).toEqual(['publish', 'notify'])
    for (const id of ['a', 'b', 'c']) await recordThrough(dispatcher, watched, delivery(id, true))
    await expect.poll(() => attempts.filter(({ work }) => work === 'notify').length).toBe(3)
    expect(sent.toSorted()).toEqual(['a', 'b', 'c'])
    expect(claims).toEqual(['publish', 'notify'])
  })

  it('claims the notifications with an inbox without settlePublished', async () => {
    const inbox = { ...createMemoryInbox(), settlePublished: undefined } as unknown as CompleteInbox
    const sent: string[] = []
    const { dispatcher } = start({
      inbox,
      publisher: createMemoryBus(),
      pollMs: 60_000,
      notifications: {
        providers: [doorbell],
        notifier: { notify: async ({ title }) => void sent.push(title) },
      },
    })
    for (const id of ['a', 'b', 'c']) await recordThrough(dispatcher, inbox, delivery(id, true))
    await expect.poll(() => sent.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('sends older notifications first while more are due than can start soon', async () => {
    const inbox = createMemoryInbox()
    const sent: number[] = []
    const { dispatcher } = start({
      inbox,
      publisher: createMemoryBus(),
      pollMs: 1000,
      batchSize: 1,
      concurrency: 4,
      notifications: {
        providers: [doorbell],
        notifier: {
          async notify({ title }) {
            await sleep(20)
            sent.push(Number(title))
          },
        },
      },
    })
    for (let id = 0; id < 300; id++) {
      await recordThrough(dispatcher, inbox, delivery(String(id), true))
      await sleep(1)
    }
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(300)
    expect(Math.max(...sent.map((id, index) => index - id))).toBeLessThan(20)
  })

  it('counts notifications from memory against the bytes that one process claims', async () => {
    const inbox = createMemoryInbox()
    const { dispatcher } = start({
      inbox,
      publisher: createMemoryBus(),
      leaseMs: 60_000,
      timeoutMs: 30_000,
      notifications: { providers: [doorbell], notifier: { notify: () => sleep(10_000) } },
    })
    const body = new Uint8Array(1_048_576)
    for (let index = 0; index < 60; index++) {
      await recordThrough(dispatcher, inbox, { ...delivery(String(index), true), body })
      await sleep(3)
    }
    await expect.poll(async () => (await inbox.stats()).notifications.pending).toBe(60)
    expect((await inbox.claim('notify', { limit: 60, leaseMs: 0 })).length).toBeGreaterThan(30)
    await dispatcher.stop(0)
  })

  it('releases the notifications of a running settlement before the end of a stop', async () => {
    const inbox = createMemoryInbox()
    const settling = Promise.withResolvers<undefined>()
    const slow: CompleteInbox = {
      ...inbox,
      async settlePublished(...given) {
        const results = await inbox.settlePublished?.(...given)
        settling.resolve(undefined)
        await sleep(50)
        return results ?? []
      },
      async settle(...given) {
        await sleep(50)
        return inbox.settle(...given)
      },
    }
    const { dispatcher } = start({
      inbox: slow,
      publisher: createMemoryBus(),
      notifications: { providers: [doorbell], notifier: { notify: async () => undefined } },
    })
    await recordThrough(dispatcher, slow, delivery('a', true))
    await settling.promise
    await dispatcher.stop()
    expect(await inbox.claim('notify', { limit: 1, leaseMs: 0 })).toHaveLength(1)
  })

  it('respects retryable and retryAfterMs of a notifier', async () => {
    const inbox = createMemoryInbox()
    const failures = new Map<string, object>([
      ['final', { retryable: false }],
      ['patient', { retryAfterMs: 60_000 }],
      ['endless', { retryAfterMs: 1e12 }],
      ['odd', { retryable: 'no', retryAfterMs: '1' }],
    ])
    const { attempts } = start({
      inbox,
      publisher: createMemoryBus(),
      notifications: {
        providers: [doorbell],
        notifier: {
          notify: (_, { id }) => Promise.reject(Object.assign(new Error('away'), failures.get(id))),
        },
      },
    })
    for (const id of failures.keys()) await inbox.record(delivery(id, true))
    const getOutcome = (id: string) =>
      attempts.find((one) => one.work === 'notify' && one.event.id === id)?.outcome
    await expect.poll(() => [...failures.keys()].every((id) => getOutcome(id) !== undefined)).toBe(true)
    expect(getOutcome('final')).toEqual({ status: 'dead', error: 'Error' })
    expect(getOutcome('patient')).toEqual({ status: 'retry', afterMs: 60_000, error: 'Error' })
    expect(getOutcome('endless')).toMatchObject({ status: 'retry', afterMs: 3_600_000 })
    expect(getOutcome('odd')).toMatchObject({ status: 'retry', afterMs: 0 })
  })

  it('settles a batch with invalid results for some events', async () => {
    const inbox = createMemoryInbox()
    const failures = new Map<string, object>([
      ['silent', { retryable: true }],
      ['final', { retryable: false, error: new TypeError('quotes the data') }],
      ['undated', { retryable: true, error: 'busy', retryAfterMs: NaN }],
      ['precise', { retryable: true, error: 'busy', retryAfterMs: 60_000.5 }],
    ])
    const publisher: Publisher = {
      publish: async (events) =>
        events.map(({ id }) => ({ ok: false, ...failures.get(id) }) as PublishResult),
    }
    const { attempts } = start({ inbox, publisher })
    for (const id of failures.keys()) await inbox.record(delivery(id))
    const getOutcome = (id: string) => attempts.find((one) => one.event.id === id)?.outcome
    await expect.poll(() => [...failures.keys()].every((id) => getOutcome(id) !== undefined)).toBe(true)
    expect(getOutcome('silent')).toEqual({ status: 'retry', afterMs: 0, error: 'Unknown error' })
    expect(getOutcome('final')).toEqual({ status: 'dead', error: 'TypeError' })
    expect(getOutcome('undated')).toEqual({ status: 'retry', afterMs: 0, error: 'busy' })
    expect(getOutcome('precise')).toEqual({ status: 'retry', afterMs: 60_001, error: 'busy' })
  })

  it('ends the notification when the notify function returns a promise', async () => {
    const inbox = createMemoryInbox()
    const told: unknown[] = []
    const notify = (() => Promise.reject(new Error('later'))) as never
    const { attempts } = start({
      inbox,
      publisher: createMemoryBus(),
      notifications: {
        providers: [{ ...doorbell, notify }],
        notifier: { notify: async (message) => void told.push(message) },
      },
    })
    await inbox.record(delivery('1', true))
    await expect.poll(() => attempts.find(({ work }) => work === 'notify')?.outcome.status).toBe('dead')
    expect(told).toEqual([])
  })

  it('continues after failures of the inbox', async () => {
    const inbox = createMemoryInbox()
    const errors: unknown[] = []
    let broken = true
    const flaky: CompleteInbox = {
      ...inbox,
      claim: (work, options) => (broken ? Promise.reject(new Error('away')) : inbox.claim(work, options)),
      settle: (work, settlements) =>
        broken ? Promise.reject(new Error('away')) : inbox.settle(work, settlements),
    }
    const { dispatcher } = start({
      inbox: flaky,
      publisher: createMemoryBus(),
      leaseMs: 60,
      timeoutMs: 20,
      onError: (error) => errors.push(error),
    })
    await recordThrough(dispatcher, inbox, delivery('1'))
    await expect.poll(() => errors.length).toBeGreaterThan(1)
    broken = false
    await expect.poll(() => inbox.countPublished({})).toBe(1)
  })

  it('rejects leases that an attempt could outlive', () => {
    const options = { inbox: createMemoryInbox(), publisher: createMemoryBus(), leaseMs: 100, timeoutMs: 100 }
    expect(() => createDispatcher(options)).toThrow(TypeError)
  })

  it.each<[string, Partial<DispatcherOptions>]>([
    ['batchSize', { batchSize: NaN }],
    ['batchSize', { batchSize: 0 }],
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: 1.5 }],
    ['leaseMs', { leaseMs: NaN }],
    ['leaseMs', { leaseMs: 2 ** 31 }],
    ['timeoutMs', { timeoutMs: '5000' as never }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['pollMs', { pollMs: NaN }],
    ['pollMs', { pollMs: -1 }],
    ['memoryEvents', { memoryEvents: NaN }],
    ['memoryBytes', { memoryBytes: -1 }],
    ['redeliverAfterMs', { redeliverAfterMs: 0 }],
    ['backoff.baseMs', { backoff: { baseMs: NaN } }],
    ['backoff.maximumMs', { backoff: { maximumMs: Infinity } }],
    ['backoff.giveUpAfterMs', { backoff: { giveUpAfterMs: NaN } }],
  ])('rejects an invalid option: %s, %j', (name, wrong) => {
    const create = () =>
      createDispatcher({ inbox: createMemoryInbox(), publisher: createMemoryBus(), ...wrong })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`${name} must be an integer`)
  })

  it.each([
    [{}, 'inbox.claim'],
    [{ inbox: {} }, 'inbox.claim'],
    [{ inbox: createMemoryInbox() }, 'publisher.publish'],
    [{ inbox: createMemoryInbox(), publisher: {} }, 'publisher.publish'],
  ])('requires its ports: %#', (wrong, name) => {
    expect(() => createDispatcher(wrong as never)).toThrow(new TypeError(`${name} must be a function`))
  })

  it('accepts an infinite giveUpAfterMs', () => {
    const backoff = { giveUpAfterMs: Infinity }
    expect(() =>
      createDispatcher({ inbox: createMemoryInbox(), publisher: createMemoryBus(), backoff }),
    ).not.toThrow()
  })

  it('publishes from an inbox with four methods', async () => {
    const complete = createMemoryInbox()
    const inbox: Inbox = {
      record: (record, options) => complete.record(record, options),
      known: (known) => complete.known(known),
      claim: (work, options) => complete.claim(work, options),
      settle: (work, settlements) => complete.settle(work, settlements),
    }
    const bus = createMemoryBus()
    await inbox.record(delivery('a'))
    const dispatcher = createDispatcher({ inbox, publisher: bus, pollMs: 10 })
    dispatcher.start()
    await expect.poll(() => bus.events.map(({ id }) => id)).toEqual(['a'])
    await dispatcher.stop()
  })

  it.each([
    ['no provider', []],
    ['no notify function', [{ ...doorbell, notify: undefined } as never]],
  ])('retries a notification with %s, and reports the end', async (_, providers) => {
    const inbox = createMemoryInbox()
    const { attempts } = start({
      inbox,
      publisher: createMemoryBus(),
      backoff: { baseMs: 1, giveUpAfterMs: 50 },
      notifications: { providers, notifier: { notify: async () => undefined } },
    })
    await inbox.record(delivery('1', true))
    const outcomes = () =>
      attempts.filter(({ work }) => work === 'notify').map(({ outcome }) => outcome.status)
    await expect.poll(outcomes).toContain('dead')
    expect(outcomes()[0]).toBe('retry')
    const [state] = (await inbox.get('delivery-1'))?.events ?? []
    expect(state?.notification).toMatchObject({ status: 'dead' })
    expect(state?.notification?.failures.at(-1)?.error).toBe('No notify function is known for the provider')
  })
})
