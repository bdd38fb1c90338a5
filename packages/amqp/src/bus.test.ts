import { describeWith } from '@sallyport/test-services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFreezer } from '../test/freezer.ts'
import { bindQueue, eventOf, eventsIn, idsIn, messagesIn } from '../test/fresh.ts'
import { openAmqp, type Amqp } from './index.ts'

const { signal } = new AbortController()
const retryable = (error: RegExp) => ({
  ...{ ok: false, retryable: true },
  error: expect.stringMatching(error) as string,
})

describeWith('rabbitmq', (server) => {
  let amqp: Amqp | undefined
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
  let freezer: Awaited<ReturnType<typeof openFreezer>> | undefined
  let behindFreezer: Amqp | undefined
  beforeAll(async () => {
    freezer = await openFreezer(server().url)
    behindFreezer = openAmqp({ url: freezer.url, timeoutMs: 60_000 })
  })
  afterAll(async () => {
    await behindFreezer?.close()
    freezer?.close()
  })
  testPublisher(
    { describe, expect, it },
    {
      async create() {
        const { exchange } = await fresh()
        const bus = behindFreezer!.bus({ exchange })
        queues.set(bus, exchange)
        return bus
      },
      events: (bus) => eventsIn(server().url, queues.get(bus)!),
      hang: () => {
        freezer!.freeze()
      },
      destroy: () => {
        freezer!.thaw()
      },
      deduplicates: false,
    },
  )

  it('publishes an event as JSON on disk, under its name and id, with its trace', async () => {
    const { exchange, bus } = await fresh({ pattern: 'doorbell.bell.*' })
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    }
    const event = eventOf('doorbell:1', { trace })
    expect(await bus.publish([event], signal)).toEqual([{ ok: true }])
    const [stored] = await messagesIn(server().url, exchange)
    expect(stored).toMatchObject({
      fields: { exchange, routingKey: 'doorbell.bell.rung' },
      properties: {
        ...{ deliveryMode: 2, contentType: 'application/json', messageId: event.id, type: event.name },
        headers: { 'x-deduplication-header': event.id, ...trace },
      },
    })
    expect(JSON.parse(stored!.content.toString())).toEqual(event)
  })

  it('keeps ids apart that are no short, plain text', async () => {
    const { exchange, bus } = await fresh()
    const long = 'x'.repeat(255)
    const ids = ['a', 'a ', 'a\nb', 'a\0', '\ud800', '\udc00', '\ufffd', '\u{1f6aa}', '', long, `${long}y`]
    await bus.publish(
      ids.map((id) => eventOf(id)),
      signal,
    )
    const messages = await messagesIn(server().url, exchange)
    expect(new Set(messages.map(({ properties }) => String(properties.messageId))).size).toBe(ids.length)
    expect(messages.map(({ content }) => (JSON.parse(content.toString()) as { id: string }).id)).toEqual(ids)
  })

  it('never sends an event that is too large, and publishes the others', async () => {
    const { exchange } = await fresh()
    const bus = opened().bus({ exchange, eventBytes: 1000 })
    const large = eventOf('doorbell:large', { data: 'x'.repeat(1000) })
    const named = eventOf('doorbell:named', { name: `doorbell/${'x'.repeat(250)}` })
    const dotted = eventOf('doorbell:dotted', { name: `doorbell/${'.'.repeat(200)}` })
    const events = [eventOf('doorbell:1'), large, named, dotted, eventOf('doorbell:2')]
    const final = (error: string) => ({
      ...{ ok: false, retryable: false },
      error: expect.stringContaining(error) as string,
    })
    expect(await bus.publish(events, signal)).toEqual([
      { ok: true },
      final('1000 bytes'),
      final('255 bytes'),
      final('255 bytes'),
      { ok: true },
    ])
    expect(await idsIn(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('ends what cannot be written, which used to fail the events that were published beside it', async () => {
    const { exchange, bus } = await fresh()
    const noJson = eventOf('doorbell:number', { data: 1n })
    const trace = { traceparent: '', tracestate: 'x'.repeat(100_000) }
    const events = [
      eventOf('doorbell:1'),
      noJson,
      eventOf('doorbell:trace', { trace }),
      eventOf('doorbell:2'),
    ]
    const final = { ok: false, retryable: false, error: expect.stringContaining('cannot be') as string }
    expect(await bus.publish(events, signal)).toEqual([{ ok: true }, final, final, { ok: true }])
    expect(await idsIn(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('tries again what a full queue refuses', async () => {
    const { exchange, bus } = await fresh({ maxLength: 2, overflow: 'reject-publish' })
    const events = [1, 2, 3].map((id) => eventOf(`doorbell:${id}`))
    const refused = retryable(/^RabbitMQ: a queue refused it/)
    // A queue learns that it is full a little later than what is pipelined.
    for (const event of events) await bus.publish([event], signal)
    expect(await bus.publish([eventOf('doorbell:4')], signal)).toEqual([refused])
    await messagesIn(server().url, exchange)
    expect(await bus.publish([eventOf('doorbell:4')], signal)).toEqual([{ ok: true }])
  })

  it('publishes batches of large events side by side, each in its order', async () => {
    const { exchange, bus } = await fresh()
    const data = 'x'.repeat(20_000)
    const batches = ['a', 'b', 'c'].map((batch) =>
      Array.from({ length: 80 }, (_, index) => eventOf(`${batch}:${index}`, { data })),
    )
    const results = await Promise.all(batches.map((batch) => bus.publish(batch, signal)))
    expect(results.flat().every(({ ok }) => ok)).toBe(true)
    const ids = await idsIn(server().url, exchange)
    for (const batch of batches) {
      const wanted = batch.map(({ id }) => id)
      expect(ids.filter((id) => wanted.includes(id))).toEqual(wanted)
    }
  })

  it('takes no eventBytes out of range, with which it once refused or took every event', () => {
    for (const eventBytes of [0, 1.5, Number.NaN, Infinity])
      expect(() => opened().bus({ eventBytes })).toThrow(
        new TypeError('eventBytes must be an integer of at least 1'),
      )
  })

  it.each(['', 'x'.repeat(256)])('takes no exchange with a name such as %j', (exchange) => {
    expect(() => opened().bus({ exchange })).toThrow(TypeError)
  })
})
