import { AckPolicy } from '@nats-io/jetstream'
import { describeWith } from '@sallyport/test-services'
import { testQueue } from '@sallyport/webhooks/testing'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventOf, freshName, withManager } from '../test/fresh.ts'
import { openNats, type Nats } from './index.ts'

const { signal } = new AbortController()
const all = { limit: 100, signal }

/** Hands everything on, and what the server says once it was seen: after what that returns, where it is a promise. */
async function watchedProxy(url: string, see: (said: string) => unknown) {
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
        .then(() => see(chunk.toString('latin1')))
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
  const connections: Nats[] = []
  beforeAll(() => {
    connections.push(openNats(server()), openNats(server()))
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
      // The server's clock is its own, and it waits a tenth longer than a lease.
      pass: (milliseconds) => sleep(milliseconds * 1.1 + 300),
    },
  )

  it('refuses what is too large, and what there is no room for', async () => {
    const queue = nats().queue({ stream: freshName(server()), events: 2 })
    const large = eventOf('doorbell:large', { data: 'x'.repeat(2 * 1024 * 1024) })
    const events = [large, ...['a', 'b', 'c'].map((id) => eventOf(id))]
    expect(await queue.enqueue(events, signal)).toMatchObject([
      { ok: false, retryable: false },
      { ok: true, duplicate: false },
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'NATS: maximum messages exceeded (10077)' },
    ])
    await queue.close()
  })

  it('gives what there is room for, and one that is larger, also when it comes again', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    const large = eventOf('doorbell:large', { data: 'x'.repeat(500_000) })
    const small = Array.from({ length: 9 }, (_, index) => eventOf(`doorbell:${index}`))
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

  it('waits for what is due again, in another process too', async () => {
    const stream = freshName(server())
    const [queue, other] = [nats().queue({ stream }), nats(1).queue({ stream })]
    await queue.enqueue([eventOf('doorbell:1')], signal)
    const [first] = await queue.receive(all)
    await expect(first!.retry(Number.NaN)).rejects.toBeInstanceOf(TypeError)
    const waiting = other.receive({ ...all, waitMs: 60_000 })
    expect(await first!.retry(200)).toBe(true)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
    await expect(queue.receive({ limit: 0, signal })).rejects.toBeInstanceOf(TypeError)
    await Promise.all([queue.close(), other.close()])
  })

  it('gives nothing up, however often it failed', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    await queue.enqueue([eventOf('doorbell:1')], signal)
    for (let attempt = 0; attempt < 20; attempt++) {
      const [held] = await queue.receive(all)
      expect(held?.attempts).toBe(attempt)
      await held?.retry(0)
    }
    await queue.close()
  })

  it('holds up nothing for what waits to be tried again', async () => {
    const queue = nats().queue({ stream: freshName(server()) })
    const ids = Array.from({ length: 1500 }, (_, index) => `doorbell:${index}`)
    await queue.enqueue(
      ids.map((id) => eventOf(id)),
      signal,
    )
    const held = await queue.receive({ limit: 1500, signal })
    expect(held).toHaveLength(1500)
    await Promise.all(held.map((one) => one.retry(3_600_000)))
    await queue.enqueue([eventOf('doorbell:next')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:next'])
    await queue.close()
  })

  it('takes no more once a third of the lease of the first has gone', async () => {
    // Over a slow link, the lease of the first had ended before the last was there.
    const times = { now: 0 }
    const leaseMs = 30_000
    const queue = nats().queue({
      stream: freshName(server()),
      leaseMs,
      now: () => (times.now += leaseMs / 3),
    })
    const events = Array.from({ length: 9 }, (_, index) => eventOf(`doorbell:${index}`))
    await queue.enqueue(events, signal)
    for (let portion = 0; portion < 3; portion++)
      expect(await queue.receive({ ...all, maxBytes: 1000 })).toHaveLength(1)
    await queue.close()
  })

  it('gives nobody what was under way for longer than its lease', async () => {
    // The server had given it to somebody else, from whom the first one took it by acknowledging it.
    const stream = freshName(server())
    const leaseMs = 200
    const times = { now: 0 }
    await using slow = await watchedProxy(server().url, (said) => {
      if (said.includes('$JS.ACK.')) times.now += 2 * leaseMs
    })
    const behind = openNats({ url: slow.url })
    const queue = behind.queue({ stream, leaseMs, now: () => times.now })
    await queue.enqueue([eventOf('doorbell:1')], signal)
    expect(await queue.receive(all)).toEqual([])
    expect(times.now).toBe(2 * leaseMs)
    const [again] = await nats()
      .queue({ stream, leaseMs })
      .receive({ ...all, waitMs: 60_000 })
    expect([again!.event.id, again!.attempts]).toEqual(['doorbell:1', 1])
    await behind.close()
  })

  it('gives what came in time where a batch takes longer than its lease', async () => {
    // All of it was once dropped, came again in the same way, and so for ever.
    const stream = freshName(server())
    const large = { data: { door: 'front'.repeat(20_000) } }
    const ids = Array.from({ length: 10 }, (_, index) => `doorbell:${index}`)
    const stuck = Promise.withResolvers<undefined>()
    let said = 0
    // One message comes through, and the next is under way for as long as the first receive is.
    await using slow = await watchedProxy(server().url, (chunk) => {
      said += chunk.length
      return said > 200_000 ? stuck.promise : undefined
    })
    const behind = openNats({ url: slow.url })
    const queue = behind.queue({ stream, leaseMs: 1000, now: () => 0 })
    await queue.enqueue(
      ids.map((id) => eventOf(id, large)),
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
    await behind.close()
  }, 20_000)

  it('gives a lease to what was waited for longer than one', async () => {
    const stream = freshName(server())
    const leaseMs = 1000
    const [queue, other] = [nats().queue({ stream, leaseMs }), nats(1).queue({ stream, leaseMs })]
    const waiting = queue.receive({ ...all, waitMs: 60_000 })
    await sleep(2 * leaseMs)
    await other.enqueue([eventOf('doorbell:1')], signal)
    const [held] = await waiting
    expect([held!.attempts, await held!.ack()]).toEqual([0, true])
    await Promise.all([queue.close(), other.close()])
  })

  it('takes out what is no event, and says so', async () => {
    const stream = freshName(server())
    const errors: unknown[] = []
    const queue = nats().queue({ stream, onError: (error) => errors.push(error) })
    await queue.ping()
    // JSON that is no event once was given out, and ended every round of the drainer.
    const theirs = ['no JSON', 'null', '{}', '[]', '"text"', '{"id":"theirs"}']
    await withManager(server().url, async (manager) => {
      for (const [index, text] of theirs.entries())
        await manager.jetstream().publish(`${stream.toLowerCase()}.theirs-${index}`, text)
    })
    await queue.enqueue([eventOf('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    const message = `A message in ${stream} is no event: it was taken out`
    expect(errors).toMatchObject(theirs.map(() => ({ message })))
    const left = () =>
      withManager(server().url, async (manager) => (await manager.streams.info(stream)).state.messages)
    await expect.poll(left).toBe(1)
    await queue.close()
  })

  // Its mistake once ended the process, or the receive of what was an event.
  it.each([
    [
      'throws',
      () => {
        throw new Error('of the hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the hook'))],
  ])('goes on when whoever is told of what is no event %s', async (_, onError) => {
    const stream = freshName(server())
    const queue = nats().queue({ stream, onError })
    await queue.ping()
    await withManager(server().url, (manager) =>
      manager.jetstream().publish(`${stream.toLowerCase()}.theirs`, 'no JSON'),
    )
    await queue.enqueue([eventOf('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    await queue.close()
  })

  it('is made anew when it was deleted', async () => {
    const stream = freshName(server())
    const impatient = openNats({ url: server().url, timeoutMs: 500 })
    const queue = impatient.queue({ stream })
    await queue.enqueue([eventOf('doorbell:1')], signal)
    await withManager(server().url, ({ streams: managed }) => managed.delete(stream))
    await expect(queue.receive(all)).rejects.toThrow('no answer')
    expect(await queue.receive(all)).toEqual([])
    expect(await queue.enqueue([eventOf('doorbell:1')], signal)).toEqual([{ ok: true, duplicate: false }])
    await impatient.close()
  })

  it('refuses a stream and a consumer that would lose or double events', async () => {
    const [plain, impatient] = [freshName(server()), freshName(server())]
    await withManager(server().url, async ({ streams: managed }) => {
      await managed.add({ name: plain, subjects: [`${plain}.>`] })
    })
    await expect(nats().queue({ stream: plain }).ping()).rejects.toThrow(`The stream ${plain} is no queue`)
    await nats().queue({ stream: impatient }).ping()
    await withManager(server().url, async ({ consumers }) => {
      await consumers.delete(impatient, 'drainer')
      await consumers.add(impatient, {
        durable_name: 'drainer',
        ack_policy: AckPolicy.Explicit,
        max_deliver: 3,
      })
    })
    await expect(nats(1).queue({ stream: impatient }).ping()).rejects.toThrow('other settings')
  })
})
