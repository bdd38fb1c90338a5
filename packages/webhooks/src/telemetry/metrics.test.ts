import { testInbox } from '@sallyport/testing'
import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { encodeBody, doorbell, openGateway, receivedAt, rung } from '../../test/doorbell.ts'
import { measured } from '../../test/telemetry.ts'
import {
  type Attempt,
  createDispatcher,
  createRunner,
  defineService,
  type CompleteInbox,
  createMemoryBus,
  createMemoryFailureLimiter,
  createMemoryInbox,
  type VerifiedDelivery,
} from '../index.ts'
import { testPublisher } from '../testing/index.ts'

interface Kind {
  readonly kind: string
}

describe('counters and histograms', () => {
  it('count deliveries by provider and outcome, and failed verifications by reason', async () => {
    const { telemetry, metric } = measured()
    const limiter = createMemoryFailureLimiter({ failures: 2, now: () => receivedAt })
    const { deliver, send } = openGateway({ observe: telemetry.observe, limiter })
    await deliver()
    await deliver()
    await deliver({ body: new TextEncoder().encode('{"kind":"broken","id":"1"}') })
    await send({ provider: 'made-up' })
    await send()
    await send({ headers: { 'x-signature': 'sha256=00' } })
    await send()
    expect(await metric('sallyport.deliveries')).toEqual({
      'outcome=accepted,provider=doorbell': 1,
      'outcome=duplicate,provider=doorbell': 1,
      'outcome=quarantined,provider=doorbell': 1,
      'outcome=refused,provider=doorbell': 3,
      'outcome=refused,provider=unknown': 1,
    })
    expect(await metric('sallyport.delivery.duration')).toMatchObject({
      'outcome=accepted,provider=doorbell': 1,
    })
    expect(await metric('sallyport.verification.failures')).toEqual({
      'provider=doorbell,reason=missing': 1,
      'provider=doorbell,reason=malformed': 1,
    })
    expect(await metric('sallyport.limiter.blocks')).toEqual({ 'provider=doorbell': 1 })
  })

  it('count ignored deliveries by the first twenty kinds of a provider', async () => {
    const { telemetry, metric } = measured()
    const provider = { ...doorbell, readKind: ({ payload }: VerifiedDelivery) => (payload as Kind).kind }
    const { deliver, observed } = openGateway({
      providers: [provider],
      observe: (one) => {
        observed.push(one)
        telemetry.observe(one)
      },
    })
    const kinds = Array.from({ length: 22 }, (_, index) => `dropped.${index}`)
    for (const kind of [...kinds, 'dropped.0', 'a kind\n', 'x'.repeat(65)]) {
      await deliver({ body: encodeBody({ kind }) })
    }
    const counted = await metric('sallyport.deliveries.ignored')
    expect(Object.keys(counted)).toHaveLength(21)
    expect(counted).toMatchObject({
      'kind=dropped.0,provider=doorbell': 2,
      'kind=dropped.19,provider=doorbell': 1,
      'kind=other,provider=doorbell': 4,
    })
    expect(observed.map(({ kind }) => kind)).toEqual([...kinds, 'dropped.0', undefined, undefined])
  })

  it('count the events that `only` removes by kind, and those of a delivery with other events', async () => {
    const { telemetry, metric } = measured()
    const provider = defineService({
      name: 'doorbell',
      signature: doorbell.signature,
      events: '*',
      kind: 'type',
      only: ['rung'],
    })
    const { deliver } = openGateway({
      providers: [provider],
      observe: telemetry.observe,
    })
    const send = async (...types: readonly string[]) =>
      deliver({ body: encodeBody(types.map((type) => ({ type }))) })
    await send('rung', 'opened', 'opened', 'closed')
    await send('opened')
    await send('rung')
    expect(await metric('sallyport.events.narrowed')).toEqual({
      'kind=opened,provider=doorbell': 3,
      'kind=closed,provider=doorbell': 1,
    })
    expect(await metric('sallyport.deliveries.ignored')).toEqual({ 'kind=opened,provider=doorbell': 1 })
  })

  it('measure an event from its receipt to its publication', async () => {
    const { telemetry, metric } = measured()
    const inbox = telemetry.inbox(createMemoryInbox())
    const attempts: Attempt[] = []
    const dispatcher = createDispatcher({
      inbox,
      publisher: telemetry.publisher(createMemoryBus()),
      onAttempt: (attempt) => {
        telemetry.onAttempt(attempt)
        attempts.push(attempt)
      },
    })
    dispatcher.start()
    await openGateway({ inbox, dispatcher, now: Date.now }).deliver()
    await expect.poll(() => attempts.length).toBe(1)
    await dispatcher.stop()
    expect(await metric('sallyport.record.duration')).toEqual({ 'outcome=recorded,provider=doorbell': 1 })
    expect(await metric('sallyport.publish.duration')).toEqual({ 'outcome=published': 1 })
    expect(await metric('sallyport.publish.lag')).toEqual({ 'provider=doorbell': 1 })
    expect(await metric('sallyport.attempts')).toEqual({ 'outcome=done,provider=doorbell,work=publish': 1 })
    expect(await metric('sallyport.dead_letters')).toEqual({})
  })

  it('measure and trace the runs of handlers', async () => {
    const { telemetry, metric, span } = measured()
    const inbox = createMemoryInbox()
    const outcomes: string[] = []
    const dispatcher = createRunner({
      inbox,
      runHandler: telemetry.runHandler,
      on: {
        'a/is.fine': () => undefined,
        'a/is.broken': () => Promise.reject(Object.assign(new Error('private'), { code: 'E_TEST' })),
      },
      onAttempt: ({ outcome: { status } }) => outcomes.push(status),
    })
    const named = (name: string) => ({ event: createEvent(name, 0, { name }) })
    await inbox.record(createDelivery(Date.now(), named('a/is.fine')))
    dispatcher.start()
    await expect.poll(() => outcomes).toEqual(['done'])
    expect(await metric('sallyport.handle.duration')).toEqual({ 'outcome=handled,provider=doorbell': 1 })
    expect(span('handle event').attributes).toMatchObject({ 'sallyport.provider': 'doorbell' })
    await inbox.record(createDelivery(Date.now(), named('a/is.broken')))
    dispatcher.wake()
    await expect.poll(() => outcomes).toEqual(['done', 'retry'])
    expect(await metric('sallyport.handle.duration')).toMatchObject({ 'outcome=failed,provider=doorbell': 1 })
    await dispatcher.stop()
  })

  it('count dead letters of an unregistered provider as unknown', async () => {
    const { telemetry, metric } = measured()
    const attempt = (provider: string, work: Attempt['work']): Attempt => ({
      work,
      attempts: 1,
      outcome: { status: 'dead', error: 'failed' },
      event: {
        id: 'a',
        name: `${provider}/bell.rung`,
        subject: 'front',
        ts: receivedAt,
        data: {},
        source: { provider, deliveryId: 'd', receivedAt },
      },
    })
    telemetry.onAttempt(attempt('doorbell', 'publish'))
    telemetry.onAttempt(attempt('removed', 'notify'))
    expect(await metric('sallyport.dead_letters')).toEqual({
      'provider=doorbell,work=publish': 1,
      'provider=unknown,work=notify': 1,
    })
  })

  it('separate failed records from successful ones', async () => {
    const { telemetry, metric } = measured()
    const record = () => Promise.reject(new Error('the disk is full'))
    const { deliver } = openGateway({ inbox: telemetry.inbox({ ...createMemoryInbox(), record }) })
    expect((await deliver()).status).toBe(503)
    expect(await metric('sallyport.record.duration')).toEqual({ 'outcome=failed,provider=doorbell': 1 })
  })
})

describe('gauges of an inbox', () => {
  it('report the statistics of the inbox', async () => {
    const { telemetry, metric } = measured({ now: () => receivedAt + 2500 })
    const inbox = createMemoryInbox({ now: () => receivedAt })
    const end = telemetry.watch(inbox)
    expect(await metric('sallyport.inbox.oldest_pending.age')).toEqual({ '': 0 })
    const { deliver } = openGateway({ inbox })
    await deliver({ body: rung('1') })
    await deliver({ body: rung('2') })
    expect(await metric('sallyport.inbox.events')).toEqual({
      'status=dead': 0,
      'status=pending': 2,
      'status=queued': 0,
    })
    expect(await metric('sallyport.inbox.notifications')).toEqual({ 'status=dead': 0, 'status=pending': 0 })
    expect(await metric('sallyport.inbox.quarantined')).toEqual({ '': 0 })
    expect(await metric('sallyport.inbox.published')).toEqual({ '': 0 })
    expect(await metric('sallyport.inbox.oldest_pending.age')).toEqual({ '': 2.5 })
    expect(await metric('sallyport.inbox.up')).toEqual({ '': 1 })
    end()
    await deliver({ body: rung('3') })
    expect(await metric('sallyport.inbox.events')).toMatchObject({ 'status=pending': 2 })
  })

  it('report the lanes of the inbox', async () => {
    const { telemetry, metric } = measured({ now: () => receivedAt + 2500 })
    const stats = await createMemoryInbox().stats()
    const lanes = { open: 3, stuck: 2, paused: 1, oldestPendingAt: receivedAt }
    telemetry.watch({ stats: () => Promise.resolve({ ...stats, lanes }) })
    expect(await metric('sallyport.inbox.lanes')).toEqual({
      'state=open': 3,
      'state=stuck': 2,
      'state=paused': 1,
    })
    expect(await metric('sallyport.inbox.lanes.oldest_pending.age')).toEqual({ '': 2.5 })
  })

  it('report an unavailable inbox with one query for concurrent collections', async () => {
    const { telemetry, metric } = measured()
    let queries = 0
    let fail: () => void = () => undefined
    telemetry.watch({
      stats: () => {
        queries++
        return new Promise((_, reject) => {
          fail = () => {
            reject(new Error('unavailable'))
          }
        })
      },
    })
    const collections = Promise.all([metric('sallyport.inbox.up'), metric('sallyport.inbox.events')])
    await expect.poll(() => queries).toBe(1)
    fail()
    expect(await collections).toEqual([{ '': 0 }, {}])
    expect(queries).toBe(1)
  })
})

describe('gauges of consumers', () => {
  it('report the lag and the dead letters of each consumer', async () => {
    const { telemetry, metric } = measured({ now: () => 91_000 })
    const state = { position: 1, pending: 2, waiting: 2, failing: 1, deadLetters: 3 }
    const unknown = { lastError: undefined, process: undefined }
    const states = [
      { name: 'builds', ...state, ...unknown, oldestPendingAt: 1000 },
      { name: 'mails', ...state, ...unknown, pending: 0, oldestPendingAt: undefined },
    ]
    const end = telemetry.watchConsumers({ list: () => Promise.resolve(states) })
    expect(await metric('sallyport.bus.consumer.pending')).toEqual({
      'consumer=builds': 2,
      'consumer=mails': 0,
    })
    expect(await metric('sallyport.bus.consumer.oldest_pending.age')).toEqual({
      'consumer=builds': 90,
      'consumer=mails': 0,
    })
    expect(await metric('sallyport.bus.consumer.failing')).toMatchObject({ 'consumer=builds': 1 })
    expect(await metric('sallyport.bus.consumer.dead_letters')).toMatchObject({ 'consumer=builds': 3 })
    end()
  })
})

describe('gauges of subscriptions', () => {
  it('report the failing ones, and nothing while the store is unavailable', async () => {
    const { telemetry, metric } = measured()
    let isUp = true
    const end = telemetry.watchSubscriptions({
      count: ({ minFailures = 0 } = {}) =>
        isUp ? Promise.resolve(minFailures === 1 ? 2 : 5) : Promise.reject(new Error('unavailable')),
    })
    expect(await metric('sallyport.subscriptions')).toEqual({ 'state=kept': 3, 'state=failing': 2 })
    isUp = false
    await metric('sallyport.subscriptions')
    end()
  })
})

describe('metrics of reconciliation', () => {
  it('report each source, and nothing while the store is unavailable', async () => {
    const { telemetry, metric } = measured()
    const asked = [{ id: 'a', ref: '1', times: 1, at: 0 }]
    const source = { provider: 'doorbell', mode: 'redelivery', dueMs: 0 } as const
    const up = [
      { ...source, name: 'web', state: { recovered: 14, abandoned: 1, asked } },
      { ...source, name: 'shop', state: { recovered: 0, abandoned: 0, asked: [], error: 'HTTP_401' } },
    ]
    const list = vi.fn(() => Promise.resolve(up))
    const end = telemetry.watchReconciliations({ list })
    expect(await metric('sallyport.reconcile.recovered')).toEqual({ 'source=web': 14, 'source=shop': 0 })
    expect(await metric('sallyport.reconcile.abandoned')).toEqual({ 'source=web': 1, 'source=shop': 0 })
    expect(await metric('sallyport.reconcile.asked')).toEqual({ 'source=web': 1, 'source=shop': 0 })
    expect(await metric('sallyport.reconcile.failing')).toEqual({ 'source=web': 0, 'source=shop': 1 })
    list.mockRejectedValue(new Error('unavailable'))
    await metric('sallyport.reconcile.failing')
    end()
  })
})

describe('gauges of a process', () => {
  const identity = { version: '1.2.0', host: 'worker-1', pid: 7, startedAt: 0, dependencies: [], notices: [] }
  const alive = { ...identity, id: 'a', roles: ['gateway'], seenAt: 0, isDead: false }
  const dead = { ...alive, id: 'b', roles: ['drainer'], isDead: true }
  const bus = { name: 'bus', kind: 'bus', status: 'ok' } as const

  it('report its build, its buses, its store of bodies and its resources', async () => {
    const { telemetry, metric } = measured()
    const end = telemetry.watchProcess({
      version: '1.2.0',
      roles: () => ['api', 'gateway'],
      dependencies: () => [
        bus,
        { ...bus, name: 'bus_audit', status: 'unavailable' },
        { name: 'bodies', kind: 'bodies', status: 'unavailable' },
        { name: 'inbox', kind: 'database', status: 'ok' },
      ],
      processes: () => [],
    })
    expect(await metric('sallyport.build.info')).toEqual({
      [`node=${process.versions.node},roles=api,gateway,version=1.2.0`]: 1,
    })
    expect(await metric('sallyport.bus.up')).toEqual({ 'bus=bus': 1, 'bus=bus_audit': 0 })
    expect(await metric('sallyport.body_store.up')).toEqual({ '': 0 })
    expect((await metric('process.memory.usage'))['']).toBeGreaterThan(1e7)
    await vi.waitFor(async () => {
      expect((await metric('nodejs.eventloop.delay.max'))['']).toBeGreaterThan(0)
    })
    end()
  })

  it('report the processes of each role, and none of a role that is forgotten', async () => {
    const { telemetry, metric } = measured()
    let processes = [alive, dead]
    const end = telemetry.watchProcess({
      ...{ version: undefined, roles: () => ['gateway'], dependencies: () => [] },
      processes: () => processes,
    })
    expect(await metric('sallyport.processes')).toEqual({
      ...{ 'role=dispatcher,state=alive': 0, 'role=dispatcher,state=dead': 0 },
      ...{ 'role=drainer,state=alive': 0, 'role=drainer,state=dead': 1 },
      ...{ 'role=gateway,state=alive': 1, 'role=gateway,state=dead': 0 },
    })
    processes = [alive]
    expect(await metric('sallyport.processes')).toMatchObject({ 'role=drainer,state=dead': 0 })
    processes = []
    expect(await metric('sallyport.processes')).toMatchObject({ 'role=gateway,state=alive': 1 })
    end()
  })
})

describe('a measured port', () => {
  const runner = { describe, it, expect }
  testPublisher(runner, {
    create: () => measured().telemetry.publisher(createMemoryBus()),
    keepsObjects: true,
  })
  testInbox(runner, { create: (now) => measured().telemetry.inbox(createMemoryInbox({ now })) })

  it('supports an inbox with private members', async () => {
    class Counting {
      #count = 1
      async countDeliveries() {
        return this.#count++
      }
    }
    const inbox = measured().telemetry.inbox(new Counting() as unknown as CompleteInbox)
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('supports a frozen inbox', async () => {
    const inbox = measured().telemetry.inbox(Object.freeze(createMemoryInbox()))
    await inbox.record(createDelivery(receivedAt, 'doorbell:a'))
    expect(await inbox.countDeliveries({})).toBe(1)
  })
})

describe('the main entry', () => {
  it('works without OpenTelemetry', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) => {
        if (name.startsWith('@opentelemetry/')) throw new Error('not installed')
        return next(name, context)
      } })
      await import('@sallyport/webhooks')
      await import('@sallyport/webhooks/telemetry').then(() => process.exit(1), () => undefined)`
    const run = promisify(execFile)
    const parameters = ['--conditions=@sallyport/source', '--input-type=module', '--eval', script]
    expect(await run(process.execPath, parameters, { cwd: import.meta.dirname })).toMatchObject({
      stderr: '',
    })
  })
})
