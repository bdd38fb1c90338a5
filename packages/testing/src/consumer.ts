import { setTimeout as sleep } from 'node:timers/promises'
import { HandlerError, type WebhookEvent, type MaybePromise, type Publisher } from '@sallyport/webhooks'
import type { Consumer, ConsumerOptions } from '@sallyport/webhooks/consumer'
import { createEvent, type TestRunner } from '@sallyport/webhooks/testing'

/** A bus of one test. */
export interface ConsumerFixture {
  /** Publishes on the bus. */
  readonly publisher: Publisher
  /** Publishes text that is not an event. */
  publishText(text: string): Promise<unknown>
  /** Creates a consumer, as in another process. The suite stops it. */
  createConsumer(options: ConsumerOptions): Consumer
  /** Returns the number of dead letters of a consumer with the reason `reason`. */
  countDeadLetters(consumer: string, reason: string): Promise<number>
  close(): MaybePromise<unknown>
}

interface ConsumerSuiteOptions {
  /** Creates a bus that does not exist yet. */
  readonly create: () => MaybePromise<ConsumerFixture>
  /** Whether a new consumer receives the events that were published before its first start. @default true */
  readonly retains?: boolean
}

const name = 'doorbell/bell.rung'
const { signal } = new AbortController()

/** Tests a consumer of a bus. Each test has 30 seconds. */
export function testConsumer(
  { describe, it, expect }: TestRunner,
  { create, retains = true }: ConsumerSuiteOptions,
): void {
  const test = (title: string, body: (bus: Awaited<ReturnType<typeof open>>) => Promise<void>) =>
    it(title, async () => {
      const bus = await open()
      try {
        await body(bus)
      } finally {
        await bus.close()
      }
    })

  async function open() {
    const bus = await create()
    const consumers: Consumer[] = []
    return {
      ...bus,
      async publish(...events: readonly WebhookEvent[]) {
        const results = await bus.publisher.publish(events, signal)
        for (const { ok } of results) expect(ok).toBe(true)
      },
      /** Starts a consumer whose handler is the function. */
      async consume(
        handler: (event: WebhookEvent, signal: AbortSignal) => unknown,
        options: Partial<ConsumerOptions> = {},
      ): Promise<Consumer> {
        const consumer = bus.createConsumer({
          ...{ name: 'one', handlers: { [name]: handler }, backoff: { baseMs: 20 } },
          ...options,
        })
        consumers.push(consumer)
        await consumer.start()
        return consumer
      },
      async close() {
        await Promise.all(consumers.map((consumer) => consumer.stop()))
        await bus.close()
      },
    }
  }

  async function waitFor(condition: () => MaybePromise<boolean>): Promise<void> {
    const until = performance.now() + 25_000
    while (!(await condition()) && performance.now() < until) await sleep(20)
    expect(await condition(), 'a condition that becomes true').toBe(true)
  }

  describe('consumer', () => {
    test('starts before the first event and receives events as they were published', async (bus) => {
      const received: WebhookEvent[] = []
      await bus.consume((event) => received.push(event))
      const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
      const event = createEvent('doorbell:1', Date.UTC(2026, 0), {
        data: { door: 'é', at: [1, null] },
        trace,
      })
      await bus.publish(event)
      await waitFor(() => received.length > 0)
      const [{ source, ...rest } = event] = received
      expect({ ...rest, provider: source.provider }).toEqual({
        ...{ id: event.id, name, subject: 'front', ts: event.ts, data: event.data, trace },
        provider: 'doorbell',
      })
    })

    if (retains)
      test('receives the events from before its first start', async (bus) => {
        await bus.publish(createEvent('doorbell:1', 0), createEvent('doorbell:2', 0))
        const received: string[] = []
        await bus.consume(({ id }) => received.push(id))
        await waitFor(() => received.length === 2)
        expect(received).toEqual(['doorbell:1', 'doorbell:2'])
      })

    test('passes each event to one process of each name', async (bus) => {
      const shared: string[] = []
      const other: string[] = []
      await bus.consume(({ id }) => shared.push(id))
      await bus.consume(({ id }) => shared.push(id))
      await bus.consume(({ id }) => other.push(id), { name: 'other' })
      const events = Array.from({ length: 20 }, (_, index) =>
        createEvent(`doorbell:${index}`, 0, { subject: `door-${index}` }),
      )
      await bus.publish(...events)
      await waitFor(() => shared.length >= 20 && other.length >= 20)
      const ids = events.map(({ id }) => id).sort()
      expect(shared.sort()).toEqual(ids)
      expect(other.sort()).toEqual(ids)
    })

    test('handles the events of a subject in order, and several subjects at the same time', async (bus) => {
      const running = new Set<string>()
      const handled: string[] = []
      let most = 0
      let overlaps = 0
      await bus.consume(
        async ({ id, subject }) => {
          if (running.has(subject)) overlaps++
          running.add(subject)
          most = Math.max(most, running.size)
          await sleep(10)
          running.delete(subject)
          handled.push(id)
        },
        { concurrency: 3 },
      )
      const subjects = ['a', 'b', 'c', 'd']
      const events = Array.from({ length: 24 }, (_, index) =>
        createEvent(`doorbell:${index}`, 0, { subject: subjects[index % 4] ?? '' }),
      )
      await bus.publish(...events)
      await waitFor(() => handled.length === 24)
      for (const one of subjects) {
        const ids = events.filter(({ subject }) => subject === one).map(({ id }) => id)
        expect(handled.filter((id) => ids.includes(id))).toEqual(ids)
      }
      expect(overlaps).toBe(0)
      expect(most).toBe(3)
    })

    test('retries a failed event before the next event of its subject', async (bus) => {
      const attempted: string[] = []
      await bus.consume(({ id }) => {
        attempted.push(id)
        if (attempted.length < 3) throw new Error('not yet')
      })
      await bus.publish(createEvent('doorbell:1', 0), createEvent('doorbell:2', 0))
      await waitFor(() => attempted.length === 4)
      expect(attempted).toEqual(['doorbell:1', 'doorbell:1', 'doorbell:1', 'doorbell:2'])
    })

    test('handles other subjects beside one with more failing events than are in flight', async (bus) => {
      const handled: string[] = []
      let failures = 0
      await bus.consume(
        ({ id, subject }) => {
          if (subject !== 'stuck') return handled.push(id)
          failures++
          throw new Error('not yet')
        },
        { concurrency: 2, maxInFlight: 10, backoff: { baseMs: 60_000 } },
      )
      for (let number = 0; number < 60; number++)
        await bus.publish(createEvent(`doorbell:stuck-${number}`, 0, { subject: 'stuck' }))
      await waitFor(() => failures === 1)
      await sleep(1500)
      await bus.publish(createEvent('doorbell:other', 0, { subject: 'other' }))
      await waitFor(() => handled.length > 0)
      expect([handled, failures]).toEqual([['doorbell:other'], 1])
    })

    test('makes an event a dead letter after the last attempt, and continues', async (bus) => {
      const attempted: string[] = []
      const errors: unknown[] = []
      await bus.consume(
        ({ id }) => {
          attempted.push(id)
          if (id !== 'doorbell:3')
            throw id === 'doorbell:1'
              ? new RangeError('secret')
              : new HandlerError('no', { retryable: false })
        },
        { attempts: 3, onError: (error) => errors.push(error) },
      )
      await bus.publish(...[1, 2, 3].map((number) => createEvent(`doorbell:${number}`, 0)))
      await waitFor(() => attempted.length === 5)
      expect(attempted).toEqual([...Array<string>(3).fill('doorbell:1'), 'doorbell:2', 'doorbell:3'])
      expect(errors.length).toBe(4)
      await waitFor(async () => (await bus.countDeadLetters('one', 'RangeError')) === 1)
      await waitFor(async () => (await bus.countDeadLetters('one', 'no')) === 1)
    })

    test('makes a message that is not an event a dead letter', async (bus) => {
      const received: string[] = []
      const reasons: string[] = []
      await bus.consume(({ id }) => received.push(id), { onDeadLetter: (reason) => reasons.push(reason) })
      for (const text of ['not JSON', '{"id":7}']) await bus.publishText(text)
      await bus.publish(createEvent('doorbell:1', 0))
      await waitFor(() => received.length === 1 && reasons.length === 2)
      const reason = 'The message is not an event'
      expect(reasons).toEqual([reason, reason])
      expect(await bus.countDeadLetters('one', reason)).toBe(2)
    })

    test('stops after the running handler, and leaves the other events to the next process', async (bus) => {
      const handled: string[] = []
      const begun = Promise.withResolvers<undefined>()
      const finish = Promise.withResolvers<undefined>()
      const first = await bus.consume(async ({ id }) => {
        begun.resolve(undefined)
        await finish.promise
        handled.push(id)
      })
      await bus.publish(...[1, 2, 3].map((number) => createEvent(`doorbell:${number}`, 0)))
      await begun.promise
      const stopped = first.stop()
      await sleep(50)
      finish.resolve(undefined)
      await stopped
      expect(handled).toEqual(['doorbell:1'])
      await bus.consume(({ id }) => handled.push(id))
      await waitFor(() => handled.length === 3)
      expect(handled).toEqual(['doorbell:1', 'doorbell:2', 'doorbell:3'])
    })

    test('keeps an event that processes had when they stopped, also one that only waited', async (bus) => {
      const attempted = new Set<string>()
      const dead: string[] = []
      const ids = ['doorbell:1', 'doorbell:2']
      const options: Partial<ConsumerOptions> = {
        ...{ attempts: 2, backoff: { baseMs: 60_000 } },
        onDeadLetter: (reason) => dead.push(reason),
      }
      let failed = Promise.withResolvers<undefined>()
      const fail = () => {
        failed.resolve(undefined)
        throw new Error('not yet')
      }
      for (let stops = 0; stops < 3; stops++) {
        failed = Promise.withResolvers<undefined>()
        const consumer = await bus.consume(fail, options)
        if (stops === 0) await bus.publish(...ids.map((id) => createEvent(id, 0)))
        await failed.promise
        await consumer.stop()
      }
      await bus.consume(({ id }) => attempted.add(id), options)
      await waitFor(() => attempted.size === 2 || dead.length > 0)
      expect([...attempted]).toEqual(ids)
      expect(dead).toEqual([])
    })
  })
}
