import { describeWith } from '@sallyport/test-support/services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindQueue, createEvent, drainEvents, drainIds, drainMessages } from '../../test/amqp/fresh.ts'
import { openPausableProxy } from '../../test/amqp/pausable-proxy.ts'
import { openAmqp } from './index.ts'
import type { AmqpClient } from './amqp.ts'

const { signal } = new AbortController()
const retryable = (error: RegExp) => ({
  ...{ ok: false, retryable: true },
  error: expect.stringMatching(error) as string,
})

describeWith('rabbitmq', (server) => {
  let amqp: AmqpClient | undefined
  beforeAll(() => {
    amqp = openAmqp({ url: server().url, timeoutMs: 25_000 })
  })
  afterAll(() => amqp?.close())
  const opened = () => amqp!
  const fresh = async (settings?: Parameters<typeof bindQueue>[2]) => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange, settings)
    return { exchange, bus: opened().bus({ exchange }) }
  }

  const queues = new WeakMap<object, string>()
  let proxy: Awaited<ReturnType<typeof openPausableProxy>> | undefined
  let proxied: AmqpClient | undefined
  beforeAll(async () => {
    proxy = await openPausableProxy(server().url)
    proxied = openAmqp({ url: proxy.url, timeoutMs: 60_000 })
  })
  afterAll(async () => {
    await proxied?.close()
    proxy?.close()
  })
  testPublisher(
    { describe, expect, it },
    {
      async create() {
        const { exchange } = await fresh()
        const bus = proxied!.bus({ exchange, eventBytes: 10_000 })
        queues.set(bus, exchange)
        return bus
      },
      events: (bus) => drainEvents(server().url, queues.get(bus)!),
      hang: () => {
        proxy!.pause()
      },
      destroy: () => {
        proxy!.resume()
      },
      deduplicates: false,
      tooLargeBytes: 10_000,
    },
  )

  it('publishes an event as persistent JSON with its name, id and trace', async () => {
    const { exchange, bus } = await fresh({ pattern: 'doorbell.bell.*' })
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    }
    const event = createEvent('doorbell:1', { trace })
    expect(await bus.publish([event], signal)).toEqual([{ ok: true }])
    const [stored] = await drainMessages(server().url, exchange)
    expect(stored).toMatchObject({
      fields: { exchange, routingKey: 'doorbell.bell.rung' },
      properties: {
        ...{ deliveryMode: 2, contentType: 'application/json', messageId: event.id, type: event.name },
        headers: { 'x-deduplication-header': event.id, ...trace },
      },
    })
    expect(JSON.parse(stored!.content.toString())).toEqual(event)
  })

  it('gives distinct message ids to ids that are long or not plain text', async () => {
    const { exchange, bus } = await fresh()
    const long = 'x'.repeat(255)
    const ids = ['a', 'a ', 'a\nb', 'a\0', '\ud800', '\udc00', '\ufffd', '\u{1f6aa}', '', long, `${long}y`]
    await bus.publish(
      ids.map((id) => createEvent(id)),
      signal,
    )
    const messages = await drainMessages(server().url, exchange)
    expect(new Set(messages.map(({ properties }) => String(properties.messageId))).size).toBe(ids.length)
    expect(messages.map(({ content }) => (JSON.parse(content.toString()) as { id: string }).id)).toEqual(ids)
  })

  it('publishes events up to eventBytes', async () => {
    const { exchange } = await fresh()
    const bus = opened().bus({ exchange, eventBytes: 1000 })
    const events = [999, 1000, 1001].map((bytes) => {
      const create = (data: string) => createEvent(`doorbell:${bytes}`, { data })
      return create('x'.repeat(bytes - JSON.stringify(create('')).length))
    })
    expect(await bus.publish(events, signal)).toEqual([
      { ok: true },
      { ok: true },
      {
        ...{ ok: false, retryable: false, tooLarge: true },
        error: expect.stringContaining('1000 bytes') as string,
      },
    ])
    expect(await drainIds(server().url, exchange)).toEqual(events.slice(0, 2).map(({ id }) => id))
  })

  it('rejects a name that is too long and publishes the others', async () => {
    const { exchange, bus } = await fresh()
    const named = createEvent('doorbell:named', { name: `doorbell/${'x'.repeat(250)}` })
    const dotted = createEvent('doorbell:dotted', { name: `doorbell/${'.'.repeat(200)}` })
    const final = { ok: false, retryable: false, error: expect.stringContaining('255 bytes') as string }
    expect(await bus.publish([named, dotted, createEvent('doorbell:1')], signal)).toEqual([
      final,
      final,
      { ok: true },
    ])
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:1'])
  })

  it('rejects an event that cannot be serialized and publishes the others', async () => {
    const { exchange, bus } = await fresh()
    const noJson = createEvent('doorbell:number', { data: 1n })
    const trace = { traceparent: '', tracestate: 'x'.repeat(100_000) }
    const events = [
      createEvent('doorbell:1'),
      noJson,
      createEvent('doorbell:trace', { trace }),
      createEvent('doorbell:2'),
    ]
    const final = { ok: false, retryable: false, error: expect.stringContaining('cannot be') as string }
    expect(await bus.publish(events, signal)).toEqual([{ ok: true }, final, final, { ok: true }])
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('returns a retryable failure while a queue is full', async () => {
    const { exchange, bus } = await fresh({ maxLength: 2, overflow: 'reject-publish' })
    const events = [1, 2, 3].map((id) => createEvent(`doorbell:${id}`))
    const refused = retryable(/^RabbitMQ: a queue rejected the message/)
    // A queue detects its limit only after the pipelined messages.
    for (const event of events) await bus.publish([event], signal)
    expect(await bus.publish([createEvent('doorbell:4')], signal)).toEqual([refused])
    await drainMessages(server().url, exchange)
    expect(await bus.publish([createEvent('doorbell:4')], signal)).toEqual([{ ok: true }])
  })

  it('publishes concurrent batches of large events, each in order', async () => {
    const { exchange, bus } = await fresh()
    const data = 'x'.repeat(20_000)
    const batches = ['a', 'b', 'c'].map((batch) =>
      Array.from({ length: 80 }, (_, index) => createEvent(`${batch}:${index}`, { data })),
    )
    const results = await Promise.all(batches.map((batch) => bus.publish(batch, signal)))
    expect(results.flat().every(({ ok }) => ok)).toBe(true)
    const ids = await drainIds(server().url, exchange)
    for (const batch of batches) {
      const wanted = batch.map(({ id }) => id)
      expect(ids.filter((id) => wanted.includes(id))).toEqual(wanted)
    }
  })

  it('rejects an eventBytes out of range', () => {
    for (const eventBytes of [0, 1.5, Number.NaN, Infinity])
      expect(() => opened().bus({ eventBytes })).toThrow(
        new TypeError('eventBytes must be an integer of at least 1'),
      )
  })

  it.each(['', 'x'.repeat(256)])('rejects the exchange name %j', (exchange) => {
    expect(() => opened().bus({ exchange })).toThrow(TypeError)
  })
})
