import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { describe, expect, it } from 'vitest'
import { acceptOne } from './accept-one.ts'
import { readiness } from './readiness.ts'
import {
  adminToken,
  publishedEvents,
  runServerToItsEnd,
  secretsOf,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

/** Returns the subject and `Nats-Msg-Id` of each message of a stream, in order. */
async function messagesOf(url: string, stream: string): Promise<string[]> {
  const client = await connect({ servers: new URL(url).host })
  try {
    const { streams } = await jetstreamManager(client)
    const { messages, first_seq, last_seq } = (await streams.info(stream)).state
    const found: string[] = []
    for (let seq = first_seq; messages > 0 && seq <= last_seq; seq++) {
      const message = await streams.getMessage(stream, { seq })
      if (message) found.push(`${message.subject} ${message.header.get('Nats-Msg-Id')}`)
    }
    return found
  } finally {
    await client.close()
  }
}

describeWith('nats', (nats) => {
  it('publishes a delivery on the stream that BUS_URL names, once', async () => {
    await using data = await temporaryDirectory()
    const stream = `${nats().stream}_BUS`
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `${nats().url}/${stream}`,
    })
    const secrets = await secretsOf(data.path)
    const send = () => sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(1))
    const { data: first } = await send()
    expect((await send()).data.status).toBe('duplicate')
    const token = await adminToken(server.base, secrets)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id, route }) => [id, route])
    await expect.poll(listed).toEqual([[first.events[0]!.id, 'direct']])
    expect(await messagesOf(nats().url, stream)).toEqual([
      `${stream.toLowerCase()}.codehost.workflow_run.completed ${first.events[0]!.id}`,
    ])
    expect(await readiness(server.base, token)).toMatchObject({ dependencies: { inbox: 'ok', bus: 'ok' } })
    expect(server.output()).toContain(`"bus":"${nats().url}"`)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('publishes events of pilots through the queue that QUEUE_URL names, once', async () => {
    await using data = await temporaryDirectory()
    const url = `${nats().url}/${nats().stream}_PILOT`
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
    const onBus = await messagesOf(nats().url, `${nats().stream}_PILOT`)
    expect(onBus.map((text) => text.split(' ')[1]).sort()).toEqual(ids.toSorted())
    expect(await messagesOf(nats().url, `${nats().stream}_PILOT_QUEUE`)).toEqual([])
    expect(await readiness(server.base, token)).toMatchObject({
      dependencies: { inbox: 'ok', bus: 'ok', queue: 'ok' },
    })
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('accepts deliveries while NATS is unavailable, and publishes them later', async () => {
    await using data = await temporaryDirectory()
    const port = await unusedPort()
    const stream = `${nats().stream}_LATE`
    const url = `nats://user:a-secret@127.0.0.1:${port}/${stream}`
    await using server = await startServerProcess({
      ...{ DATA_DIR: data.path, BUS_URL: url, QUEUE_URL: url, QUEUE_PILOTS: 'codehost' },
    })
    const { id, token } = await acceptOne(server.base, await secretsOf(data.path), run(1))
    const place = `at nats://127.0.0.1:${port} does not answer`
    await expect
      .poll(() => readiness(server.base, token))
      .toMatchObject({
        status: 'ok',
        dependencies: { inbox: 'ok', bus: 'unavailable', queue: 'unavailable' },
        notices: [expect.stringContaining(`The bus ${place}`), expect.stringContaining(`The queue ${place}`)],
      })
    for (const name of ['bus', 'queue']) expect(server.output().split(`The ${name} ${place}`)).toHaveLength(2)
    expect(await publishedEvents(server.base, token)).toEqual([])

    const proxy = await openProxy(nats().url, port)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id }) => id)
    await expect.poll(listed, { interval: 500 }).toEqual([id])
    expect(await messagesOf(nats().url, stream)).toHaveLength(1)
    expect(await readiness(server.base, token)).toMatchObject({
      dependencies: { inbox: 'ok', bus: 'ok', queue: 'ok' },
      notices: [],
    })
    expect(server.output()).not.toContain('a-secret')
    expect(await server.end('SIGTERM')).toBe(0)
    await proxy.close()
  })
})

describe('BUS_URL and QUEUE_URL', () => {
  it('prevent the start if they name no engine, and are not quoted', async () => {
    await using data = await temporaryDirectory()
    const { code, errors } = await runServerToItsEnd({
      DATA_DIR: data.path,
      BUS_URL: 'kafka://user:a-secret@localhost',
      QUEUE_URL: 'nats://localhost/two/streams',
    })
    expect(code).toBe(78)
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^BUS_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
      expect.stringMatching(/^QUEUE_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
    ])
    expect(errors).not.toContain('a-secret')
  })
})
