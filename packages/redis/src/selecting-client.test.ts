import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith } from '@sallyport/test-services'
import type { Redis as Client } from 'ioredis'
import { expect, it } from 'vitest'
import { eventOf, freshName, idsIn, withClient } from '../test/fresh.ts'
import { openRedis, type Redis } from './index.ts'
import { SelectingClient } from './selecting-client.ts'

const { signal } = new AbortController()
const events = [eventOf('doorbell:1')]
const inDatabase = (url: string, db: number) => Object.assign(new URL(url), { pathname: `/${db}` }).href

/** Acts beside a user who may do everything but SELECT. */
async function withUser(
  url: string,
  name: string,
  act: (user: { url: string; password: string; admin: Client }) => Promise<void>,
): Promise<void> {
  const password = randomBytes(16).toString('hex')
  await withClient(url, async (admin) => {
    await admin.call('ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, '~*', '&*', '+@all', '-select')
    const theirs = Object.assign(new URL(inDatabase(url, 1)), { username: name, password })
    try {
      await act({ url: theirs.href, password, admin })
    } finally {
      await admin.call('ACL', 'DELUSER', name)
      await admin.select(1)
      for (const key of await admin.keys(`*${name}*`)) await admin.del(key)
    }
  })
}

/** What each thing that stands on the connection says against its work. */
async function refusals(redis: Redis, name: string): Promise<unknown[]> {
  const [bus, queue, limiter] = [redis.bus({ stream: name }), redis.queue({ name }), redis.failureLimiter()]
  const reasonOf = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error)
  return [
    ...(await bus.publish(events, signal)),
    ...(await queue.enqueue(events, signal)),
    ...(await Promise.all([
      reasonOf(bus.ping()),
      reasonOf(queue.ping()),
      reasonOf(Promise.resolve(limiter.fail('192.0.2.1'))),
    ])),
    await reasonOf(queue.receive({ limit: 1, signal })),
  ]
}

const refusedBecause = (db: number, answer: string) => {
  const error = expect.stringMatching(
    new RegExp(`^Redis at .*:\\d+ refuses database ${db}, .* address \\(url\\): ${answer}`),
  ) as string
  const failure = { ok: false, retryable: true, error }
  const rejection = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: error }) as Error
  return { rejection, all: [failure, failure, ...Array.from({ length: 4 }, () => rejection)] }
}

// A server that had no room was once said to have no such database, and what came after that was never told.
it('tells a database that is refused from a server that refuses everything', async () => {
  let answer = '-ERR max number of clients reached'
  const full = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => socket.write(`${answer}\r\n`.repeat(String(data).split('*').length - 1)))
  }).listen(0, '127.0.0.1')
  await once(full, 'listening')
  const told: unknown[] = []
  const { port } = full.address() as AddressInfo
  const redis = openRedis({
    ...{ url: `redis://127.0.0.1:${port}/1`, retryMs: 1, onUnavailable: (error) => told.push(error) },
  })
  const bus = redis.bus()
  await expect(bus.ping()).rejects.toMatchObject({
    message: expect.stringContaining('does not answer') as string,
    cause: { message: 'Redis: ERR max number of clients reached' },
  })
  const { rejection } = refusedBecause(1, 'ERR invalid DB index')
  answer = '-ERR invalid DB index'
  await expect.poll(() => told.length).toBe(2)
  answer = '-BUSY Redis is busy running a script'
  await expect.poll(() => told.length).toBe(3)
  const plain = (message: string) => expect.objectContaining({ message }) as Error
  expect(told).toEqual([
    plain('Redis: ERR max number of clients reached'),
    rejection,
    plain('Redis: BUSY Redis is busy running a script'),
  ])
  await redis.close()
  full.close()
})

// What was meant for another database once went to database 0, and counted as published.
describeWith('redis', (server) => {
  it('writes nothing while there is no such database, and says which', async () => {
    const name = freshName(server())
    const told: unknown[] = []
    const redis = openRedis({
      ...{ url: inDatabase(server().url, 99), retryMs: 1, onUnavailable: (error) => told.push(error) },
      onAvailable: () => told.push('back'),
    })
    const { all, rejection } = refusedBecause(99, 'ERR DB index is out of range')
    // Over several attempts to connect.
    for (let attempt = 0; attempt < 5; attempt++) expect(await refusals(redis, name)).toEqual(all)
    expect(told).toEqual([rejection])
    await redis.close()
    expect(await withClient(server().url, (client) => client.keys(`*${name}*`))).toEqual([])
  })

  it('writes nothing while its user may not select, at the start as later, and goes on when it may', async () => {
    const name = freshName(server())
    const told: unknown[] = []
    await withUser(server().url, name, async ({ url, password, admin }) => {
      const redis = openRedis({
        ...{
          url,
          retryMs: 10,
          onUnavailable: (error) => told.push(error),
          onAvailable: () => told.push('back'),
        },
      })
      const { all, rejection } = refusedBecause(1, 'NOPERM')
      const publish = () => redis.bus({ stream: name }).publish(events, signal)
      const queue = redis.queue({ name })
      expect(await refusals(redis, name)).toEqual(all)
      expect(told).toEqual([rejection])

      await admin.call('ACL', 'SETUSER', name, '+select')
      await expect.poll(publish).toEqual([{ ok: true, duplicate: false }])
      expect(await queue.enqueue(events, signal)).toEqual([{ ok: true, duplicate: false }])
      expect(told.splice(0)).toEqual([rejection, 'back'])

      await admin.call('ACL', 'SETUSER', name, '-select')
      await admin.client('KILL', 'USER', name)
      // That it is lost, and then why it does not come back.
      await expect.poll(() => told).toEqual([expect.any(Error), rejection])
      expect(await refusals(redis, name)).toEqual(all)
      expect(JSON.stringify(told.map(String))).not.toContain(password)

      await admin.call('ACL', 'SETUSER', name, '+select')
      await expect.poll(publish).toEqual([{ ok: true, duplicate: true }])
      const received = await queue.receive({ limit: 9, signal })
      expect(received.map(({ event }) => event.id)).toEqual(['doorbell:1'])
      await redis.close()
      expect(await idsIn(inDatabase(server().url, 1), name)).toEqual(['doorbell:1'])
      expect(await admin.keys(`*${name}*`)).toEqual([])
    })
  })

  it('selects for what is made of it too, or does not connect', async () => {
    const { hostname: host, port } = new URL(server().url)
    const own = { host, port: Number(port || 6379), lazyConnect: true, retryStrategy: () => null }
    const made = new SelectingClient({ ...own, db: 1 }).duplicate({ db: 99 }).duplicate()
    const [errors, states]: [unknown[], string[]] = [[], []]
    made.on('error', (error) => errors.push(error))
    made.on('ready', () => states.push('ready')).on('end', () => states.push('end'))
    await expect(made.connect()).rejects.toThrow('Connection is closed')
    await expect.poll(() => states).toEqual(['end'])
    expect(errors).toContainEqual(refusedBecause(99, 'ERR DB index is out of range').rejection)
  })
})
