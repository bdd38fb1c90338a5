import { AckPolicy } from '@nats-io/jetstream'
import { describeWith } from '@sallyport/test-support/services'
import { testQueue } from '@sallyport/testing'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvent, freshName, withManager } from '../../test/nats/fresh.ts'
import { type NatsClient, openNats } from './index.ts'

const { signal } = new AbortController()
const all = { limit: 100, signal }

/** Starts a proxy that calls `inspect` with each response before it forwards it and awaits a returned promise. */
async function openInspectingProxy(url: string, inspect: (response: string) => unknown) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    sockets.add(socket)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy())
    socket.pipe(upstream)
    let before: Promise<unknown> = Promise.resolve()
    upstream.on('data', (chunk) => {
      before = before
        .then(() => inspect(chunk.toString('latin1')))
        .then(() => !socket.destroyed && socket.write(chunk))
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => {
          resolve()
        })
      }),
  }
}

describeWith('nats', (server) => {
  const connections: NatsClient[] = []
  beforeAll(() => {
    // A busy machine answers later than the default of five seconds.
    const patient = { ...server(), timeoutMs: 60_000 }
    connections.push(openNats(patient), openNats(patient))
  })
  afterAll(() => Promise.all(connections.map((one) => one.close())))
  const nats = (index = 0) => connections[index]!

  const streams = new WeakMap<object, string>()
  testQueue(
    { describe, expect, it },
    {
      create({ leaseMs }) {
        const stream = freshName(server())
        const queue = nats().queue({ stream, leaseMs })
        streams.set(queue, stream)
        return queue
      },
      reopen: (queue, { leaseMs }) => nats(1).queue({ stream: streams.get(queue)!, leaseMs }),
      // Only real time moves the clock of the server, which waits a tenth longer than a lease.
      pass: (milliseconds) => sleep(milliseconds * 1.1 + 300),
    },
  )

  it('rejects an event that is too large and events over its capacity', async () => {
    const queue = nats().queue({ stream: freshName(server()), events: 2 })
    const large = createEvent('doorbell:large', { data: 'x'.repeat(2 * 1024 * 1024) })
    const events = [large, ...['a', 'b', 'c'].map((id) => createEvent(id))]
    expect(await queue.enqueue(events, signal)).toMatchObject([
      { ok: false, retryable: false },
      { ok: true, duplicate: false },
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'NATS: maximum messages exceeded (10077)' },
    ])
    await queue.close()
  })

  it('limits a receive to maxBytes but returns at least one event, also after a retry', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    const large = createEvent('doorbell:large', { data: 'x'.repeat(500_000) })
    const small = Array.from({ length: 9 }, (_, index) => createEvent(`doorbell:${index}`))
    await queue.enqueue([large, ...small], signal)
    const size = JSON.stringify(small[0]).length
    const bounded = { ...all, maxBytes: 3 * size }
    const [first, ...others] = await queue.receive(bounded)
    expect([first!.event.id, first!.attempts, others.length]).toEqual(['doorbell:large', 0, 0])
    expect(await first!.retry(0)).toBe(true)
    const rest = [await queue.receive(bounded), await queue.receive(bounded), await queue.receive(all)]
    expect(rest.map((some) => some.length)).toEqual([1, 3, 6])
    expect([rest[0]![0]!.event.id, rest[0]![0]!.attempts]).toEqual(['doorbell:large', 1])
    expect(rest[1]!.map(({ bytes }) => bytes)).toEqual([size, size, size])
    await queue.close()
  })

  it('receives an event when its retry is due, also in another process', async () => {
    const stream = freshName(server())
    const [queue, other] = [nats().queue({ stream }), nats(1).queue({ stream })]
    await queue.enqueue([createEvent('doorbell:1')], signal)
    const [first] = await queue.receive(all)
    await expect(first!.retry(Number.NaN)).rejects.toBeInstanceOf(TypeError)
    const waiting = other.receive({ ...all, waitMs: 60_000 })
    expect(await first!.retry(200)).toBe(true)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
    await expect(queue.receive({ limit: 0, signal })).rejects.toBeInstanceOf(TypeError)
    await Promise.all([queue.close(), other.close()])
  })

  it('delivers an event again after any number of retries', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    await queue.enqueue([createEvent('doorbell:1')], signal)
    for (let attempt = 0; attempt < 20; attempt++) {
      const [held] = await queue.receive(all)
      expect(held?.attempts).toBe(attempt)
      await held?.retry(0)
    }
    await queue.close()
  })

  it('receives other events while many events wait for a retry', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    const ids = Array.from({ length: 1500 }, (_, index) => `doorbell:${index}`)
    await queue.enqueue(
      ids.map((id) => createEvent(id)),
      signal,
    )
    const held = await queue.receive({ limit: 1500, signal })
    expect(held).toHaveLength(1500)
    await Promise.all(held.map((one) => one.retry(3_600_000)))
    await queue.enqueue([createEvent('doorbell:next')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:next'])
    await queue.close()
  })

  it('stops receiving after a third of the first lease', async () => {
    // On a slow connection, the lease of the first event expired before the last event arrived.
    const times = { now: 0 }
    const leaseMs = 30_000
    const queue = nats().queue({
      stream: freshName(server()),
      leaseMs,
      now: () => (times.now += leaseMs / 3),
    })
    const events = Array.from({ length: 9 }, (_, index) => createEvent(`doorbell:${index}`))
    await queue.enqueue(events, signal)
    for (let portion = 0; portion < 3; portion++)
      expect(await queue.receive({ ...all, maxBytes: 1000 })).toHaveLength(1)
    await queue.close()
  })

  it('drops a message that arrives after its lease has expired', async () => {
    // The server had delivered the event to another receiver, and the first receiver acknowledged it.
    const stream = freshName(server())
    const leaseMs = 200
    const times = { now: 0 }
    await using slow = await openInspectingProxy(server().url, (said) => {
      if (said.includes('$JS.ACK.')) times.now += 2 * leaseMs
    })
    const proxied = openNats({ url: slow.url, timeoutMs: 60_000 })
    const queue = proxied.queue({ stream, leaseMs, now: () => times.now })
    await queue.enqueue([createEvent('doorbell:1')], signal)
    expect(await queue.receive(all)).toEqual([])
    expect(times.now).toBe(2 * leaseMs)
    const [again] = await nats()
      .queue({ stream, leaseMs })
      .receive({ ...all, waitMs: 60_000 })
    expect([again!.event.id, again!.attempts]).toEqual(['doorbell:1', 1])
    await proxied.close()
  })

  it('returns the events that arrive in time when a batch takes longer than its lease', async () => {
    // The whole batch was dropped and delivered again in an endless loop.
    const stream = freshName(server())
    const large = { data: { door: 'front'.repeat(20_000) } }
    const ids = Array.from({ length: 10 }, (_, index) => `doorbell:${index}`)
    const stuck = Promise.withResolvers<undefined>()
    let said = 0
    // One message arrives, and the next arrives only after the first receive.
    await using slow = await openInspectingProxy(server().url, (chunk) => {
      said += chunk.length
      return said > 200_000 ? stuck.promise : undefined
    })
    const proxied = openNats({ url: slow.url, timeoutMs: 60_000 })
    const queue = proxied.queue({ stream, leaseMs: 1000, now: () => 0 })
    await queue.enqueue(
      ids.map((id) => createEvent(id, large)),
      signal,
    )
    said = 0
    const taken = [...(await queue.receive(all))]
    stuck.resolve(undefined)
    expect(taken.map(({ event }) => event.id)).toEqual(ids.slice(0, 1))
    expect(await taken[0]!.ack()).toBe(true)
    while (taken.length < ids.length) {
      const more = await queue.receive({ ...all, waitMs: 60_000 })
      for (const held of more) expect(await held.ack()).toBe(true)
      taken.push(...more)
    }
    expect(taken.map(({ event }) => event.id).toSorted()).toEqual(ids)
    await proxied.close()
  }, 20_000)

  it('starts the lease when the event arrives, not when the wait starts', async () => {
    const stream = freshName(server())
    const leaseMs = 1000
    const [queue, other] = [nats().queue({ stream, leaseMs }), nats(1).queue({ stream, leaseMs })]
    const waiting = queue.receive({ ...all, waitMs: 60_000 })
    await sleep(2 * leaseMs)
    await other.enqueue([createEvent('doorbell:1')], signal)
    const [held] = await waiting
    expect([held!.attempts, await held!.ack()]).toEqual([0, true])
    await Promise.all([queue.close(), other.close()])
  })

  it('removes a message that is not an event and reports it', async () => {
    const stream = freshName(server())
    const errors: unknown[] = []
    const queue = nats().queue({ stream, onError: (error) => errors.push(error) })
    await queue.ping()
    // JSON that is not an event was delivered and ended every round of the drainer.
    const theirs = ['no JSON', 'null', '{}', '[]', '"text"', '{"id":"theirs"}']
    await withManager(server().url, async (manager) => {
      for (const [index, text] of theirs.entries())
        await manager.jetstream().publish(`${stream.toLowerCase()}.theirs-${index}`, text)
    })
    await queue.enqueue([createEvent('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    const message = `A message in ${stream} is not an event: it was removed`
    expect(errors).toMatchObject(theirs.map(() => ({ message })))
    const left = () =>
      withManager(server().url, async (manager) => (await manager.streams.info(stream)).state.messages)
    await expect.poll(left).toBe(1)
    await queue.close()
  })

  // An error of the hook ended the process, or failed the receive.
  it.each([
    [
      'throws',
      () => {
        throw new Error('from the hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('from the hook'))],
  ])('continues when the onError hook %s', async (_, onError) => {
    const stream = freshName(server())
    const queue = nats().queue({ stream, onError })
    await queue.ping()
    await withManager(server().url, (manager) =>
      manager.jetstream().publish(`${stream.toLowerCase()}.theirs`, 'no JSON'),
    )
    await queue.enqueue([createEvent('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    await queue.close()
  })

  it('creates the stream again after it was deleted', async () => {
    const stream = freshName(server())
    const hasty = openNats({ url: server().url, timeoutMs: 500 })
    const queue = hasty.queue({ stream })
    await queue.enqueue([createEvent('doorbell:1')], signal)
    await withManager(server().url, ({ streams: managed }) => managed.delete(stream))
    await expect(queue.receive(all)).rejects.toThrow('did not respond')
    expect(await queue.receive(all)).toEqual([])
    expect(await queue.enqueue([createEvent('doorbell:1')], signal)).toEqual([{ ok: true, duplicate: false }])
    await hasty.close()
  })

  it('rejects a stream and a consumer whose settings would lose or duplicate events', async () => {
    const [plain, hasty] = [freshName(server()), freshName(server())]
    await withManager(server().url, async ({ streams: managed }) => {
      await managed.add({ name: plain, subjects: [`${plain}.>`] })
    })
    await expect(nats().queue({ stream: plain }).ping()).rejects.toThrow(
      `The stream ${plain} is not a work queue`,
    )
    await nats().queue({ stream: hasty }).ping()
    await withManager(server().url, async ({ consumers }) => {
      await consumers.delete(hasty, 'drainer')
      await consumers.add(hasty, {
        durable_name: 'drainer',
        ack_policy: AckPolicy.Explicit,
        max_deliver: 3,
      })
    })
    await expect(nats(1).queue({ stream: hasty }).ping()).rejects.toThrow('other settings')
  })
})
