import { describeWith } from '@sallyport/test-support/services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createEvent,
  freshName,
  readEvents,
  readIds,
  readStream,
  withClient,
} from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'
import type { RedisClient } from './redis.ts'

const { signal } = new AbortController()

describeWith('redis', (server) => {
  let redis: RedisClient | undefined
  beforeAll(() => {
    redis = openRedis({ url: server().url })
  })
  afterAll(() => redis?.close())
  const opened = () => redis!

  const streams = new WeakMap<object, string>()
  testPublisher(
    { describe, expect, it },
    {
      create() {
        const stream = freshName(server())
        const bus = opened().bus({ stream, eventBytes: 10_000 })
        streams.set(bus, stream)
        return bus
      },
      events: (bus) => readEvents(server().url, streams.get(bus)!),
      tooLargeBytes: 10_000,
    },
  )

  it('publishes an event as JSON, with its id, its name and its trace', async () => {
    const stream = freshName(server())
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    }
    const event = createEvent('doorbell:1', { trace })
    expect(await opened().bus({ stream }).publish([event], signal)).toEqual([{ ok: true, duplicate: false }])
    const [stored] = await readStream(server().url, stream)
    expect(stored).toEqual({ id: event.id, name: event.name, event: expect.any(String) as string, ...trace })
    expect(JSON.parse(stored!['event']!)).toEqual(event)
  })

  it('distinguishes ids that differ only in white space or invalid Unicode', async () => {
    const stream = freshName(server())
    const ids = ['a', 'a ', ' a', 'a\r\nb', 'a\nb', '\ud800', '\udc00', '\ufffd', '\u{1f6aa}', '']
    const twice = [...ids, ...ids].map((id) => createEvent(id))
    const results = await opened().bus({ stream }).publish(twice, signal)
    expect(results).toEqual(twice.map((_, index) => ({ ok: true, duplicate: index >= ids.length })))
    expect(await readIds(server().url, stream)).toEqual(ids)
  })

  it('recognizes ids until the duplicate window ends, even if the stream was deleted', async () => {
    const stream = freshName(server())
    const bus = opened().bus({ stream, duplicateWindowMs: 60_000 })
    const publish = () => bus.publish([createEvent('doorbell:1')], signal)
    await publish()
    await withClient(server().url, async (client) => {
      const [key] = await client.keys(`${stream}:id:*`)
      const leftMs = await client.pttl(key!)
      expect([leftMs > 0, leftMs <= 60_000]).toEqual([true, true])
      await client.del(stream)
      expect(await publish()).toEqual([{ ok: true, duplicate: true }])
      await client.pexpire(key!, 0)
    })
    expect(await publish()).toEqual([{ ok: true, duplicate: false }])
  })

  it('trims the stream to roughly the configured number of events', async () => {
    const stream = freshName(server())
    const bus = opened().bus({ stream, events: 100 })
    await bus.publish(
      Array.from({ length: 1000 }, (_, index) => createEvent(`doorbell:${index}`)),
      signal,
    )
    const ids = await readIds(server().url, stream)
    expect(ids.length).toBeLessThan(400)
    expect(ids.at(-1)).toBe('doorbell:999')
  })

  it('does not mark an id as published when the stream rejects the entry', async () => {
    const stream = freshName(server())
    const bus = opened().bus({ stream })
    await withClient(server().url, (client) => client.set(stream, 'no stream'))
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: expect.stringMatching(/^Redis: .*WRONGTYPE/) as string },
    ])
    await withClient(server().url, (client) => client.del(stream))
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true, duplicate: false }])
  })

  it('publishes a large batch in order', async () => {
    const stream = freshName(server())
    const events = Array.from({ length: 250 }, (_, index) =>
      createEvent(`doorbell:${index}`, { data: 'x'.repeat(index % 90 === 70 ? 700_000 : 10) }),
    )
    const results = await opened()
      .bus({ stream })
      .publish([...events, ...events], signal)
    expect(results.map((result) => result.ok && result.duplicate)).toEqual([
      ...events.map(() => false),
      ...events.map(() => true),
    ])
    expect(await readIds(server().url, stream)).toEqual(events.map(({ id }) => id))
  })

  it('adds no event twice when a partly failed batch is published again', async () => {
    const stream = freshName(server())
    const bus = opened().bus({ stream })
    const events = Array.from({ length: 9 }, (_, index) => createEvent(`doorbell:${index}`))
    await withClient(server().url, async (client) => {
      await client.xadd(stream, '1-0', 'of', 'another')
      // Only three more entry ids are left.
      await client.call('XSETID', stream, '18446744073709551615-18446744073709551612')
      const results = await bus.publish(events, signal)
      expect(results.slice(0, 3)).toEqual(events.slice(0, 3).map(() => ({ ok: true, duplicate: false })))
      expect(results.slice(3)).toEqual(
        events.slice(3).map(() => ({
          ok: false,
          retryable: true,
          error: expect.stringMatching(/^Redis: .*exhausted/) as string,
        })),
      )
      await client.del(stream)
    })
    expect(await bus.publish(events, signal)).toEqual(
      events.map((_, index) => ({ ok: true, duplicate: index < 3 })),
    )
    expect(await readIds(server().url, stream)).toEqual(events.slice(3).map(({ id }) => id))
  })

  it('publishes after the server has lost its scripts', async () => {
    const stream = freshName(server())
    const bus = opened().bus({ stream })
    for (const id of ['doorbell:1', 'doorbell:2']) {
      await withClient(server().url, (client) => client.script('FLUSH'))
      expect(await bus.publish([createEvent(id)], signal)).toEqual([{ ok: true, duplicate: false }])
    }
    expect(await readIds(server().url, stream)).toEqual(['doorbell:1', 'doorbell:2'])
  })
})
