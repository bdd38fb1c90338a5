import { createDelivery, createEvent, testInbox } from '@sallyport/testing'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { encodeBody, doorbell, never, openGateway, receivedAt, rung } from '../../test/doorbell.ts'
import { measured } from '../../test/telemetry.ts'
import {
  type Attempt,
  createDispatcher,
  handlers,
  type CompleteInbox,
  memoryBus,
  memoryFailureLimiter,
  memoryInbox,
  memoryQueue,
  type VerifiedDelivery,
} from '../index.ts'
import { testPublisher } from '../testing/index.ts'

interface Kind {
  readonly kind: string
}

describe('metrics', () => {
  it('count deliveries by provider and outcome, and failed verifications by reason', async () => {
    const { telemetry, metric } = measured()
    const limiter = memoryFailureLimiter({ failures: 2, now: () => receivedAt })
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

  it('count ignored deliveries by kind, twenty kinds of a provider and then others', async () => {
    const { telemetry, metric } = measured()
    const provider = { ...doorbell, readKind: ({ payload }: VerifiedDelivery) => (payload as Kind).kind }
    const { deliver, observed } = openGateway({
      providers: [provider],
      observe: (one) => {
        observed.push(one)
        telemetry.observe(one)
      },
    })
    const kinds = Array.from({ length: 22 }, (_, index) => `gone.${index}`)
    for (const kind of [...kinds, 'gone.0', 'a kind\n', 'x'.repeat(65)]) {
      await deliver({ body: encodeBody({ kind }) })
    }
    const counted = await metric('sallyport.deliveries.ignored')
    expect(Object.keys(counted)).toHaveLength(21)
    expect(counted).toMatchObject({
      'kind=gone.0,provider=doorbell': 2,
      'kind=gone.19,provider=doorbell': 1,
      'kind=other,provider=doorbell': 4,
    })
    expect(observed.map(({ kind }) => kind)).toEqual([...kinds, 'gone.0', undefined, undefined])
  })

  it('follow an event from its receipt to its publication', async () => {
    const { telemetry, metric } = measured()
    const inbox = telemetry.inbox(memoryInbox())
    const attempts: Attempt[] = []
    const dispatcher = createDispatcher({
      inbox,
      publisher: telemetry.publisher(memoryBus()),
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

  it('count dead letters, and name no provider that is not registered', async () => {
    const { telemetry, metric } = measured()
    const attempt = (provider: string, work: Attempt['work']): Attempt => ({
      work,
      attempts: 1,
      outcome: { status: 'dead', error: 'gone' },
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
    telemetry.onAttempt(attempt('long-gone', 'notify'))
    expect(await metric('sallyport.dead_letters')).toEqual({
      'provider=doorbell,work=publish': 1,
      'provider=unknown,work=notify': 1,
    })
  })

  it('tell failed records from those that lasted', async () => {
    const { telemetry, metric } = measured()
    const record = () => Promise.reject(new Error('the disk is full'))
    const { deliver } = openGateway({ inbox: telemetry.inbox({ ...memoryInbox(), record }) })
    expect((await deliver()).status).toBe(503)
    expect(await metric('sallyport.record.duration')).toEqual({ 'outcome=failed,provider=doorbell': 1 })
  })
})

describe('gauges of an inbox', () => {
  it('tell how much it holds, and for how long', async () => {
    const { telemetry, metric } = measured({ now: () => receivedAt + 2500 })
    const inbox = memoryInbox({ now: () => receivedAt })
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

  it('say when the inbox does not answer, which is asked once for collections at once', async () => {
    const { telemetry, metric } = measured()
    let asked = 0
    let answer: () => void = () => undefined
    telemetry.watch({
      stats: () => {
        asked++
        return new Promise((_, reject) => {
          answer = () => {
            reject(new Error('away'))
          }
        })
      },
    })
    const collections = Promise.all([metric('sallyport.inbox.up'), metric('sallyport.inbox.events')])
    await expect.poll(() => asked).toBe(1)
    answer()
    expect(await collections).toEqual([{ '': 0 }, {}])
    expect(asked).toBe(1)
  })
})

describe('what is measured still keeps its contract:', () => {
  const runner = { describe, it, expect }
  testPublisher(runner, { create: () => measured().telemetry.publisher(memoryBus()), keepsObjects: true })
  testInbox(runner, { create: (now) => measured().telemetry.inbox(memoryInbox({ now })) })

  it('an inbox of a class with private members', async () => {
    class Counting {
      #count = 1
      async countDeliveries() {
        return this.#count++
      }
    }
    const inbox = measured().telemetry.inbox(new Counting() as unknown as CompleteInbox)
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('an inbox that is frozen', async () => {
    const inbox = measured().telemetry.inbox(Object.freeze(memoryInbox()))
    await inbox.record(createDelivery(receivedAt, 'doorbell:a'))
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('handlers beside a shared queue: what has ended is not begun again because others hang', async () => {
    vi.useFakeTimers({ now: receivedAt })
    try {
      const inbox = memoryInbox()
      const begun: string[] = []
      const publisher = handlers({
        'a/was.quick': ({ id }) => begun.push(id),
        'a/has.hung': () => never(),
      })
      const named = (name: string) => createEvent(name, 0, { name })
      await inbox.record(
        createDelivery(
          receivedAt,
          { event: named('a/was.quick') },
          { event: named('a/has.hung') },
          { event: named('a/was.queued'), route: 'queue' },
        ),
      )
      const dispatcher = createDispatcher({
        ...{ inbox, queue: memoryQueue(), random: () => 0 },
        publisher: measured().telemetry.publisher(publisher),
      })
      dispatcher.start()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(begun).toEqual(['a/was.quick'])
      const stopped = dispatcher.stop()
      await vi.advanceTimersByTimeAsync(5000)
      await stopped
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the main entry', () => {
  it('does without OpenTelemetry', async () => {
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
