import { describeWith, unusedPort } from '@sallyport/test-support/services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createEvent, readTopic } from '../../test/kafka/read-topic.ts'
import { openKafka, type KafkaBus } from './index.ts'
import type { KafkaClient } from './kafka.ts'

const { signal } = new AbortController()

describeWith('kafka', (server) => {
  let count = 0
  const clients: KafkaClient[] = []
  afterAll(() => Promise.all(clients.map((client) => client.close())))

  const freshTopic = () => `${server().topic}-${String(++count)}`
  function open(): KafkaClient {
    const client = openKafka({ url: server().url })
    clients.push(client)
    return client
  }

  const readMessages = (topic: string) => readTopic([new URL(server().url).host], topic)

  const topics = new WeakMap<object, string>()
  testPublisher(
    { describe, expect, it },
    {
      async create() {
        const topic = freshTopic()
        const bus = open().bus({ topic, compression: 'none' })
        await bus.ping()
        topics.set(bus, topic)
        return bus
      },
      async published(bus) {
        const messages = await readMessages(topics.get(bus) ?? '')
        return messages.map(({ headers }) => headers.get('ce_id') ?? '')
      },
      destroy: (bus) => (bus as KafkaBus).close(),
      tooLargeBytes: 2 * 1024 * 1024,
      deduplicates: false,
      ordered: false,
    },
  )

  it('publishes an event as a CloudEvent in binary mode', async () => {
    const topic = freshTopic()
    const bus = open().bus({ topic })
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=1',
    }
    expect(await bus.publish([createEvent('doorbell:1', { data: { door: 'é' }, trace })], signal)).toEqual([
      { ok: true },
    ])
    const [message] = await readMessages(topic)
    expect(message?.key).toBe('front')
    expect(message?.value).toBe('{"door":"é"}')
    expect(Object.fromEntries(message?.headers ?? [])).toEqual({
      'content-type': 'application/json; charset=utf-8',
      ce_id: 'doorbell:1',
      ce_source: '/doorbell',
      ce_specversion: '1.0',
      ce_subject: 'front',
      ce_time: '2026-01-01T00:00:00.000Z',
      ce_type: 'doorbell/bell.rung',
      ce_traceparent: trace.traceparent,
      ce_tracestate: trace.tracestate,
    })
  })

  it('keeps the order of events with the same subject over parallel calls', async () => {
    const topic = freshTopic()
    const bus = open().bus({ topic, batchBytes: 2000 })
    const events = Array.from({ length: 400 }, (_, index) =>
      createEvent(`doorbell:${String(index)}`, { subject: `door-${String(index % 7)}` }),
    )
    const results = await Promise.all(events.map((event) => bus.publish([event], signal)))
    expect(results.flat()).toEqual(events.map(() => ({ ok: true })))
    const messages = await readMessages(topic)
    const bySubject = (one: string) =>
      messages.filter(({ key }) => key === one).map(({ headers }) => headers.get('ce_id'))
    for (const subject of new Set(events.map((event) => event.subject)))
      expect(bySubject(subject)).toEqual(
        events.filter((event) => event.subject === subject).map(({ id }) => id),
      )
  })

  it('publishes the other events of a batch that the brokers refuse as too large', async () => {
    const topic = freshTopic()
    const onUnavailable = vi.fn()
    const client = openKafka({ url: server().url, onUnavailable })
    clients.push(client)
    const bus = client.bus({ topic, compression: 'none', batchBytes: 10_000_000 })
    const large = createEvent('doorbell:large', { data: 'x'.repeat(2_000_000) })
    const results = await bus.publish([createEvent('doorbell:1'), large, createEvent('doorbell:2')], signal)
    expect(results).toMatchObject([{ ok: true }, { retryable: false, tooLarge: true }, { ok: true }])
    expect(onUnavailable).not.toHaveBeenCalled()
    const messages = await readMessages(topic)
    expect(messages.map(({ headers }) => headers.get('ce_id'))).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const)('compresses with %s', async (compression) => {
    const topic = freshTopic()
    const bus = open().bus({ topic, compression })
    await bus.publish([createEvent('doorbell:1', { data: 'x'.repeat(10_000) })], signal)
    expect((await readMessages(topic))[0]?.value).toBe(JSON.stringify('x'.repeat(10_000)))
  })

  it('reports an unavailable broker once, and when it answers', async () => {
    const onUnavailable = vi.fn()
    const url = `kafka://127.0.0.1:${String(await unusedPort())}`
    const client = openKafka({ url, onUnavailable, connectTimeoutMs: 300 })
    clients.push(client)
    const bus = client.bus()
    const publish = () => bus.publish([createEvent('doorbell:1')], signal)
    const failure = { ok: false, retryable: true, error: expect.stringContaining('ECONNREFUSED') as string }
    expect(await publish()).toEqual([failure])
    expect(await publish()).toEqual([failure])
    expect(onUnavailable).toHaveBeenCalledOnce()
    await expect(bus.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
