import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith } from '@sallyport/test-support/services'
import type { Redis as Client } from 'ioredis'
import { expect, it } from 'vitest'
import { createEvent, freshName, readIds, withClient } from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'
import type { RedisClient } from './redis.ts'
import { SelectingClient } from './selecting-client.ts'

const { signal } = new AbortController()
const events = [createEvent('doorbell:1')]
const inDatabase = (url: string, db: number) => Object.assign(new URL(url), { pathname: `/${db}` }).href

/** Runs `act` with a user who may do everything except SELECT. */
async function withUser(
  url: string,
  name: string,
  act: (user: { url: string; password: string; admin: Client }) => Promise<void>,
): Promise<void> {
  const password = randomBytes(16).toString('hex')
  await withClient(url, async (admin) => {
    await admin.call('ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, '~*', '&*', '+@all', '-select')
    const userUrl = Object.assign(new URL(inDatabase(url, 1)), { username: name, password })
    try {
      await act({ url: userUrl.href, password, admin })
    } finally {
      await admin.call('ACL', 'DELUSER', name)
      await admin.select(1)
      for (const key of await admin.keys(`*${name}*`)) await admin.del(key)
    }
  })
}

/** Collects the errors of every operation on the connection. */
async function refusals(redis: RedisClient, name: string): Promise<unknown[]> {
  const [bus, limiter] = [redis.bus({ stream: name }), redis.failureLimiter()]
  const getReason = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error)
  return [
    ...(await bus.publish(events, signal)),
    ...(await Promise.all([getReason(bus.ping()), getReason(Promise.resolve(limiter.fail('192.0.2.1')))])),
  ]
}

const expectRefusal = (db: number, answer: string) => {
  const error = expect.stringMatching(
    new RegExp(`^Redis at .*:\\d+ refuses database ${db}, .* URL \\(url\\): ${answer}`),
  ) as string
  const failure = { ok: false, retryable: true, error }
  const rejection = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: error }) as Error
  return { rejection, all: [failure, rejection, rejection] }
}

// A server at its connection limit was reported as one without the database.
it('distinguishes a refused database from a server that refuses every command', async () => {
  let answer = '-ERR max number of clients reached'
  const full = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => socket.write(`${answer}\r\n`.repeat(String(data).split('*').length - 1)))
  }).listen(0, '127.0.0.1')
  await once(full, 'listening')
  const reported: unknown[] = []
  const { port } = full.address() as AddressInfo
  const redis = openRedis({
    ...{ url: `redis://127.0.0.1:${port}/1`, retryMs: 1, onUnavailable: (error) => reported.push(error) },
  })
  const bus = redis.bus()
  await expect(bus.ping()).rejects.toMatchObject({
    message: expect.stringContaining('does not answer') as string,
    cause: { message: 'Redis: ERR max number of clients reached' },
  })
  const { rejection } = expectRefusal(1, 'ERR invalid DB index')
  answer = '-ERR invalid DB index'
  await expect.poll(() => reported.length).toBe(2)
  answer = '-BUSY Redis is busy running a script'
  await expect.poll(() => reported.length).toBe(3)
  const plain = (message: string) => expect.objectContaining({ message }) as Error
  expect(reported).toEqual([
    plain('Redis: ERR max number of clients reached'),
    rejection,
    plain('Redis: BUSY Redis is busy running a script'),
  ])
  await redis.close()
  full.close()
})

// Events for a missing database went to database 0 and counted as published.
describeWith('redis', (server) => {
  it('writes nothing while the database does not exist', async () => {
    const name = freshName(server())
    const reported: unknown[] = []
    const redis = openRedis({
      ...{ url: inDatabase(server().url, 99), retryMs: 1, onUnavailable: (error) => reported.push(error) },
      onAvailable: () => reported.push('available'),
    })
    const { all, rejection } = expectRefusal(99, 'ERR DB index is out of range')
    // The errors stay the same over several attempts to connect.
    for (let attempt = 0; attempt < 5; attempt++) expect(await refusals(redis, name)).toEqual(all)
    expect(reported).toEqual([rejection])
    await redis.close()
    expect(await withClient(server().url, (client) => client.keys(`*${name}*`))).toEqual([])
  })

  it('writes nothing while its user lacks the right to SELECT, and recovers afterwards', async () => {
    const name = freshName(server())
    const reported: unknown[] = []
    await withUser(server().url, name, async ({ url, password, admin }) => {
      const redis = openRedis({
        ...{
          url,
          retryMs: 10,
          onUnavailable: (error) => reported.push(error),
          onAvailable: () => reported.push('available'),
        },
      })
      const { all, rejection } = expectRefusal(1, 'NOPERM')
      const publish = () => redis.bus({ stream: name }).publish(events, signal)
      expect(await refusals(redis, name)).toEqual(all)
      expect(reported).toEqual([rejection])

      await admin.call('ACL', 'SETUSER', name, '+select')
      await expect.poll(publish).toEqual([{ ok: true, duplicate: false }])
      expect(reported.splice(0)).toEqual([rejection, 'available'])

      await admin.call('ACL', 'SETUSER', name, '-select')
      await admin.client('KILL', 'USER', name)
      // The first report is the lost connection, the second the reason of the failed reconnection.
      await expect.poll(() => reported).toEqual([expect.any(Error), rejection])
      expect(await refusals(redis, name)).toEqual(all)
      expect(JSON.stringify(reported.map(String))).not.toContain(password)

      await admin.call('ACL', 'SETUSER', name, '+select')
      await expect.poll(publish).toEqual([{ ok: true, duplicate: true }])
      await redis.close()
      expect(await readIds(inDatabase(server().url, 1), name)).toEqual(['doorbell:1'])
      expect(await admin.keys(`*${name}*`)).toEqual([])
    })
  })

  it('selects the database of a duplicated client too', async () => {
    const { hostname: host, port } = new URL(server().url)
    const options = { host, port: Number(port || 6379), lazyConnect: true, retryStrategy: () => null }
    const duplicate = new SelectingClient({ ...options, db: 1 }).duplicate({ db: 99 }).duplicate()
    const [errors, states]: [unknown[], string[]] = [[], []]
    duplicate.on('error', (error) => errors.push(error))
    duplicate.on('ready', () => states.push('ready')).on('end', () => states.push('end'))
    await expect(duplicate.connect()).rejects.toThrow('Connection is closed')
    await expect.poll(() => states).toEqual(['end'])
    expect(errors).toContainEqual(expectRefusal(99, 'ERR DB index is out of range').rejection)
  })
})
