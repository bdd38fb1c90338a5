import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { isRedisAddress } from '../src/engines/redis.ts'
import { acceptOne } from './accept-one.ts'
import { readiness } from './readiness.ts'
import {
  adminToken,
  publishedEvents,
  secretsOf,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

/** The ids in a stream, in its order. */
async function idsIn(url: string, stream: string): Promise<string[]> {
  const client = new Redis(url)
  try {
    const entries = await client.xrange(stream, '-', '+')
    return entries.map(([, fields]) => fields[fields.indexOf('id') + 1] ?? '')
  } finally {
    client.disconnect()
  }
}

describeWith('redis', (redis) => {
  it('publishes a delivery on the stream that BUS_URL names, once', async () => {
    await using data = await temporaryDirectory()
    const name = `${redis().name}-bus`
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `${redis().url}/0?name=${name}`,
    })
    const secrets = await secretsOf(data.path)
    const send = () => sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(1))
    const { data: first } = await send()
    expect((await send()).data.status).toBe('duplicate')
    const token = await adminToken(server.base, secrets)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id, route }) => [id, route])
    await expect.poll(listed).toEqual([[first.events[0]!.id, 'direct']])
    expect(await idsIn(redis().url, name)).toEqual([first.events[0]!.id])
    expect(await readiness(server.base, token)).toMatchObject({ dependencies: { inbox: 'ok', bus: 'ok' } })
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('publishes events of pilots through the queue that QUEUE_URL names, once', async () => {
    await using data = await temporaryDirectory()
    const name = `${redis().name}-pilot`
    const url = `${redis().url}/0?name=${name}`
    await using server = await startServerProcess({
      ...{ DATA_DIR: data.path, BUS_URL: url, QUEUE_URL: url, QUEUE_PILOTS: 'codehost' },
    })
    const secrets = await secretsOf(data.path)
    const ids: string[] = []
    for (const id of [1, 2, 3]) {
      const { data: sent } = await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(id))
      ids.push(sent.events[0]!.id)
    }
    const token = await adminToken(server.base, secrets)
    const listed = async () =>
      (await publishedEvents(server.base, token)).map(({ id, route }) => `${id} ${route}`).sort()
    await expect.poll(listed).toEqual(ids.map((id) => `${id} queue`).sort())
    expect((await idsIn(redis().url, name)).toSorted()).toEqual(ids.toSorted())
    expect(await readiness(server.base, token)).toMatchObject({
      dependencies: { inbox: 'ok', bus: 'ok', queue: 'ok' },
    })
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('accepts deliveries while Redis is unavailable, and publishes them later', async () => {
    await using data = await temporaryDirectory()
    const port = await unusedPort()
    const name = `${redis().name}-late`
    const url = `redis://127.0.0.1:${port}/0?name=${name}`
    await using server = await startServerProcess({
      ...{ DATA_DIR: data.path, BUS_URL: url, QUEUE_URL: url, QUEUE_PILOTS: 'codehost' },
    })
    const { id, token } = await acceptOne(server.base, await secretsOf(data.path), run(1))
    const place = `at redis://127.0.0.1:${port} does not answer`
    await expect
      .poll(() => readiness(server.base, token))
      .toMatchObject({
        dependencies: { inbox: 'ok', bus: 'unavailable', queue: 'unavailable' },
        notices: [expect.stringContaining(`The bus ${place}`), expect.stringContaining(`The queue ${place}`)],
      })
    expect(await publishedEvents(server.base, token)).toEqual([])

    const proxy = await openProxy(redis().url, port)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id }) => id)
    await expect.poll(listed, { interval: 500 }).toEqual([id])
    expect(await idsIn(redis().url, name)).toEqual([id])
    expect(await readiness(server.base, token)).toMatchObject({ notices: [] })
    expect(await server.end('SIGTERM')).toBe(0)
    await proxy.close()
  })

  it('blocks an address in every process that shares the Redis', async () => {
    const name = `${redis().name}-limit`
    const url = `${redis().url}/0?name=${name}`
    await using data = await temporaryDirectory()
    await using other = await temporaryDirectory()
    await using one = await startServerProcess({ DATA_DIR: data.path, BUS_URL: url })
    await using two = await startServerProcess({ DATA_DIR: other.path, QUEUE_URL: url })
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) {
      const { base } = count % 2 === 0 ? one : two
      statuses.push((await sendWorkflowRun(base, 'a wrong secret', run(1))).status)
    }
    expect(statuses).toEqual(statuses.map(() => 401))
    for (const { base } of [one, two])
      expect((await sendWorkflowRun(base, 'a wrong secret', run(1))).status).toBe(429)
  })
})

describe('addresses of Redis', () => {
  it.each([
    ['redis://host', true],
    ['rediss://user:password@host:6380/3?name=staging', true],
    ['redis://host/zero', false],
    ['redis://host/0?name=a:b', false],
    ['redis://host/0?db=1', false],
    ['redis:///0', false],
  ])('%s', (address, accepted) => {
    expect(isRedisAddress(new URL(address))).toBe(accepted)
  })
})
