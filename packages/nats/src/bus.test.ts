import { RetentionPolicy } from '@nats-io/jetstream'
import { describeWith } from '@sallyport/test-services'
import type { InternalEvent } from '@sallyport/webhooks'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentOf, eventOf, freshName, withManager } from '../test/fresh.ts'
import { openNats, type Nats } from './index.ts'

const { signal } = new AbortController()

describeWith('nats', (server) => {
  let nats: Nats | undefined
  beforeAll(() => {
    nats = openNats(server())
  })
  afterAll(() => nats?.close())
  const opened = () => nats!
  const fresh = () => {
    const stream = freshName(server())
    return { stream, bus: opened().bus({ stream }), content: () => contentOf(server().url, stream) }
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
        // Told to stop before it began, it has not even made the stream.
        const made = await withManager(server().url, async (manager) => {
          for await (const name of manager.streams.names()) if (name === stream) return true
          return false
        })
        const stored = made ? await contentOf(server().url, stream) : []
        return stored.map(({ body }) => JSON.parse(body) as InternalEvent)
      },
    },
  )

  it('publishes an event as JSON, under its name and id, with its trace', async () => {
    const { stream, bus, content } = fresh()
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    }
    const event = eventOf('doorbell:bell.rung:1', { trace, name: 'doorbell/bell.rung' })
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
    const event = eventOf('doorbell:bell.rung:1')
    await bus.publish([event], signal)
    await withManager(server().url, (manager) => manager.streams.purge(stream))
    expect(await bus.publish([event], signal)).toEqual([{ ok: true, duplicate: true }])
    expect(await content()).toEqual([])
  })

  it('keeps ids apart that are no plain text', async () => {
    const { bus, content } = fresh()
    const ids = ['a', 'a ', ' a', 'a\r\nb', 'a\nb', '\ud800', '\udc00', '\ufffd', '\u{1f6aa}', '']
    const twice = [...ids, ...ids].map((id) => eventOf(id))
    const results = await bus.publish(twice, signal)
    expect(results).toEqual(twice.map((_, index) => ({ ok: true, duplicate: index >= ids.length })))
    expect((await content()).map(({ id }) => id)).toEqual(ids)
  })

  it('publishes names that mean something in subjects as tokens', async () => {
    const { stream, bus, content } = fresh()
    await bus.publish(
      ['a/b.>', 'a/*', 'a/..b c', 'a', ''].map((name) => eventOf(name, { name })),
      signal,
    )
    const subjects = (await content()).map(({ subject }) => subject.slice(stream.length + 1))
    expect(subjects).toEqual(['a.b._', 'a._', 'a._._.b_c', 'a', '_'])
  })

  it('makes a stream that knows ids for two hours, and leaves an existing one as it is', async () => {
    const { stream, bus } = fresh()
    await bus.ping()
    const configOf = (name: string) =>
      withManager(server().url, async ({ streams: all }) => (await all.info(name)).config)
    expect((await configOf(stream)).duplicate_window).toBe(7_200_000_000_000)

    const theirs = freshName(server())
    const settings = { name: theirs, subjects: [`${theirs}-of-them.>`], max_msgs: 7, description: 'Theirs' }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const before = await configOf(theirs)
    const results = await opened()
      .bus({ stream: theirs })
      .publish([eventOf('doorbell:1')], signal)
    expect(results).toEqual([{ ok: true, duplicate: false }])
    expect(await configOf(theirs)).toEqual(before)
    expect((await contentOf(server().url, theirs)).map(({ subject }) => subject)).toEqual([
      `${theirs}-of-them.doorbell.bell.rung`,
    ])
  })

  it('makes a stream that keeps events for less than two hours', async () => {
    const stream = freshName(server())
    await opened().bus({ stream, maxAgeMs: 3_600_000 }).ping()
    const { config } = await withManager(server().url, ({ streams: all }) => all.info(stream))
    expect(config).toMatchObject({ duplicate_window: 3_600_000_000_000, max_age: 3_600_000_000_000 })
  })

  // With a prefix, nobody once looked at whether the stream could be made: the ping held, and the rejection that
  // nobody handled ended the process, which vitest takes for a failure of its run.
  it('says that a stream cannot be made, with a prefix too', async () => {
    const stream = freshName(server())
    const prefix = stream.toLowerCase()
    for (const options of [{ stream }, { stream, prefix }]) {
      const alone = opened().bus({ ...options, replicas: 5 })
      await expect(alone.ping()).rejects.toThrow('replicas')
      expect(await alone.publish([eventOf('doorbell:1')], signal)).toMatchObject([
        { ok: false, retryable: true },
      ])
    }
  })

  it('has made its stream when a ping with a prefix resolves, and may be closed then', async () => {
    const stream = freshName(server())
    const alone = openNats(server())
    await alone.bus({ stream, prefix: stream.toLowerCase() }).ping()
    await alone.close()
    expect(await contentOf(server().url, stream)).toEqual([])
  })

  it('never takes an event that is too large, and publishes the others', async () => {
    const { bus, content } = fresh()
    const large = eventOf('doorbell:large', { data: 'x'.repeat(2 * 1024 * 1024) })
    const results = await bus.publish([eventOf('doorbell:1'), large, eventOf('doorbell:2')], signal)
    expect(results).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: false, error: expect.stringContaining('max_payload') as string },
      { ok: true, duplicate: false },
    ])
    expect((await content()).map(({ id }) => id)).toEqual(['doorbell:1', 'doorbell:2'])

    const stream = freshName(server())
    const settings = { name: stream, subjects: [`${stream}.>`], max_msg_size: 1000 }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const small = opened().bus({ stream })
    expect(await small.publish([eventOf('doorbell:3', { data: 'x'.repeat(1000) })], signal)).toMatchObject([
      { ok: false, retryable: false },
    ])
  })

  it('publishes the others when one has a trace that is no header', async () => {
    const { bus, content } = fresh()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const bad = eventOf('doorbell:2', { trace: { traceparent, tracestate: 'a=b\nc' } })
    const error = 'The event cannot be written as JSON, or its trace as headers'
    const results = await bus.publish([eventOf('doorbell:1'), bad, eventOf('doorbell:3')], signal)
    expect(results).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: false, error },
      { ok: true, duplicate: false },
    ])
    expect((await content()).map(({ id }) => id)).toEqual(['doorbell:1', 'doorbell:3'])
  })

  it('tries again what a stream does not take now', async () => {
    const stream = freshName(server())
    const settings = { name: stream, subjects: [`${stream}.>`], max_msgs: 1, discard: 'new' as const }
    await withManager(server().url, ({ streams: all }) => all.add(settings))
    const results = await opened()
      .bus({ stream })
      .publish([eventOf('doorbell:1'), eventOf('doorbell:2')], signal)
    expect(results).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'NATS: maximum messages exceeded (10077)' },
    ])
  })

  it('tries again without a stream, and makes it anew', async () => {
    const { stream, bus, content } = fresh()
    await bus.ping()
    await withManager(server().url, ({ streams: all }) => all.delete(stream))
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: expect.stringContaining('no stream') as string },
    ])
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toEqual([{ ok: true, duplicate: false }])
    expect((await content()).map(({ id }) => id)).toEqual(['doorbell:1'])
  })

  it('publishes nowhere but in its own stream', async () => {
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
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false, retryable: true }])
    const overlap = expect.stringContaining('overlap') as string
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: overlap },
    ])
    expect(await contentOf(server().url, other)).toEqual([])
  })
})
