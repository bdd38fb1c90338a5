import { RetentionPolicy } from '@nats-io/jetstream'
import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvent, freshName, readStream, withManager } from '../../test/nats/fresh.ts'
import { openNats } from './index.ts'
import type { NatsClient } from './nats.ts'

const { signal } = new AbortController()

describeWith('nats', (server) => {
  let nats: NatsClient | undefined
  beforeAll(() => {
    nats = openNats(server())
  })
  afterAll(() => nats?.close())
  const opened = () => nats!
  const fresh = () => {
    const stream = freshName(server())
    return { stream, bus: opened().bus({ stream }), content: () => readStream(server().url, stream) }
  }

  const streams = new WeakMap<object, string>()
  testPublisher(
    { describe, expect, it },
    {
      create() {
        const { stream, bus } = fresh()
        streams.set(bus, stream)
        return bus
      },
      async events(bus) {
        const stream = streams.get(bus)!
        // A publish that was aborted at once has not created the stream.
        const made = await withManager(server().url, async (manager) => {
          for await (const name of manager.streams.names()) if (name === stream) return true
          return false
        })
        const stored = made ? await readStream(server().url, stream) : []
        return stored.map(({ body }) => JSON.parse(body) as WebhookEvent)
      },
      tooLargeBytes: 2 * 1024 * 1024,
    },
  )

  it('publishes an event as JSON with its name, id and trace', async () => {
    const { stream, bus, content } = fresh()
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    }
    const event = createEvent('doorbell:bell.rung:1', { trace, name: 'doorbell/bell.rung' })
    expect(await bus.publish([event], signal)).toEqual([{ ok: true, duplicate: false }])
    const [stored] = await content()
    expect(stored).toMatchObject({
      subject: `${stream.toLowerCase()}.doorbell.bell.rung`,
      headers: { 'Nats-Msg-Id': event.id, ...trace },
    })
    expect(JSON.parse(stored!.body)).toEqual(event)
  })

  it('reports an event as a duplicate within the duplicate window, even after a purge', async () => {
    const { stream, bus, content } = fresh()
    const event = createEvent('doorbell:bell.rung:1')
    await bus.publish([event], signal)
    await withManager(server().url, (manager) => manager.streams.purge(stream))
    expect(await bus.publish([event], signal)).toEqual([{ ok: true, duplicate: true }])
    expect(await content()).toEqual([])
  })

  it('distinguishes ids that differ only in white space or invalid Unicode', async () => {
    const { bus, content } = fresh()
    const ids = ['a', 'a ', ' a', 'a\r\nb', 'a\nb', '\ud800', '\udc00', '\ufffd', '\u{1f6aa}', '']
    const twice = [...ids, ...ids].map((id) => createEvent(id))
    const results = await bus.publish(twice, signal)
    expect(results).toEqual(twice.map((_, index) => ({ ok: true, duplicate: index >= ids.length })))
    expect((await content()).map(({ id }) => id)).toEqual(ids)
  })

  it('replaces characters of a name that have a meaning in subjects', async () => {
    const { stream, bus, content } = fresh()
    await bus.publish(
      ['a/b.>', 'a/*', 'a/..b c', 'a', ''].map((name) => createEvent(name, { name })),
      signal,
    )
    const subjects = (await content()).map(({ subject }) => subject.slice(stream.length + 1))
    expect(subjects).toEqual(['a.b._', 'a._', 'a._._.b_c', 'a', '_'])
  })

  it('creates a stream with a duplicate window of two hours and leaves an existing stream unchanged', async () => {
    const { stream, bus } = fresh()
    await bus.ping()
    const readConfig = (name: string) =>
      withManager(server().url, async ({ streams: all }) => (await all.info(name)).config)
    expect((await readConfig(stream)).duplicate_window).toBe(7_200_000_000_000)

    const theirs = freshName(server())
    const settings = { name: theirs, subjects: [`${theirs}-of-them.>`], max_msgs: 7, description: 'Theirs' }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const before = await readConfig(theirs)
    const results = await opened()
      .bus({ stream: theirs })
      .publish([createEvent('doorbell:1')], signal)
    expect(results).toEqual([{ ok: true, duplicate: false }])
    expect(await readConfig(theirs)).toEqual(before)
    expect((await readStream(server().url, theirs)).map(({ subject }) => subject)).toEqual([
      `${theirs}-of-them.doorbell.bell.rung`,
    ])
  })

  it('creates a stream that retains events for less than two hours', async () => {
    const stream = freshName(server())
    await opened().bus({ stream, maxAgeMs: 3_600_000 }).ping()
    const { config } = await withManager(server().url, ({ streams: all }) => all.info(stream))
    expect(config).toMatchObject({ duplicate_window: 3_600_000_000_000, max_age: 3_600_000_000_000 })
  })

  // With a prefix, the ping resolved although the stream could not be created, and an unhandled rejection ended the
  // process, which fails the run of vitest.
  it('reports that a stream cannot be created, also with a prefix', async () => {
    const stream = freshName(server())
    const prefix = stream.toLowerCase()
    for (const options of [{ stream }, { stream, prefix }]) {
      const alone = opened().bus({ ...options, replicas: 5 })
      await expect(alone.ping()).rejects.toThrow('replicas')
      expect(await alone.publish([createEvent('doorbell:1')], signal)).toMatchObject([
        { ok: false, retryable: true },
      ])
    }
  })

  it('has created the stream when a ping with a prefix resolves', async () => {
    const stream = freshName(server())
    const alone = openNats(server())
    await alone.bus({ stream, prefix: stream.toLowerCase() }).ping()
    await alone.close()
    expect(await readStream(server().url, stream)).toEqual([])
  })

  it('reports an event that is larger than max_msg_size of the stream as too large', async () => {
    const stream = freshName(server())
    const settings = { name: stream, subjects: [`${stream}.>`], max_msg_size: 1000 }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const large = createEvent('doorbell:1', { data: 'x'.repeat(1000) })
    expect(await opened().bus({ stream }).publish([large], signal)).toEqual([
      {
        ...{ ok: false, retryable: false, tooLarge: true },
        error: expect.stringContaining('max_msg_size of the stream') as string,
      },
    ])
  })

  it('rejects an event whose trace is not a valid header and publishes the others', async () => {
    const { bus, content } = fresh()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const bad = createEvent('doorbell:2', { trace: { traceparent, tracestate: 'a=b\nc' } })
    const error = 'The event cannot be written as JSON, or its trace as headers'
    const results = await bus.publish([createEvent('doorbell:1'), bad, createEvent('doorbell:3')], signal)
    expect(results).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: false, error },
      { ok: true, duplicate: false },
    ])
    expect((await content()).map(({ id }) => id)).toEqual(['doorbell:1', 'doorbell:3'])
  })

  it('returns a retryable failure while the stream is full', async () => {
    const stream = freshName(server())
    const settings = { name: stream, subjects: [`${stream}.>`], max_msgs: 1, discard: 'new' as const }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const results = await opened()
      .bus({ stream })
      .publish([createEvent('doorbell:1'), createEvent('doorbell:2')], signal)
    expect(results).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'NATS: maximum messages exceeded (10077)' },
    ])
  })

  it('creates a deleted stream again after one retryable failure', async () => {
    const { stream, bus, content } = fresh()
    await bus.ping()
    await withManager(server().url, ({ streams: all }) => all.delete(stream))
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: expect.stringContaining('no stream') as string },
    ])
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true, duplicate: false }])
    expect((await content()).map(({ id }) => id)).toEqual(['doorbell:1'])
  })

  it('does not publish to another stream with the same subjects', async () => {
    const { stream, bus } = fresh()
    await bus.ping()
    const other = freshName(server())
    await withManager(server().url, async ({ streams: all }) => {
      await all.delete(stream)
      await all.add({
        name: other,
        subjects: [`${stream.toLowerCase()}.>`],
        retention: RetentionPolicy.Limits,
      })
    })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([
      { ok: false, retryable: true },
    ])
    const overlap = expect.stringContaining('overlap') as string
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: overlap },
    ])
    expect(await readStream(server().url, other)).toEqual([])
  })
})
