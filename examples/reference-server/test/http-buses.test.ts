import { openReceiver, type ReceivedRequest, type Receiver } from '@sallyport/test-support/hosts'
import { describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  temporaryDirectory,
} from './server-process.ts'

const key = 'the-key-of-the-bus'
const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })
const name = 'codehost/workflow_run.completed'

interface Bus {
  /** What `BUS_URL` is for a receiver at this address. */
  readonly address: (host: string) => string
  /** Answers that it has taken what is in a request. */
  readonly take: Parameters<Receiver['answer']>[0]
  readonly requestOf: (request: ReceivedRequest) => object
  readonly expected: (id: string) => object
}

const buses: Readonly<Record<string, Bus>> = {
  Inngest: {
    address: (host) => `inngest+http://${host}/e/${key}`,
    take: (response) => response.end('{"ids":["01J"],"status":200}'),
    requestOf: ({ path, body }) => ({ path, body: JSON.parse(body) as unknown }),
    expected: (id) => ({
      path: `/e/${key}`,
      body: [{ id, name, ts: expect.any(Number) as number, data: { run: 1 } }],
    }),
  },
  CloudEvents: {
    address: (host) => `cloudevents+http://user:${key}@${host}/in?token=${key}`,
    take: 202,
    requestOf: ({ path, headers: { authorization }, body }) => ({
      ...{ path, authorization },
      body: JSON.parse(body) as unknown,
    }),
    expected: (id) => ({
      path: `/in?token=${key}`,
      authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
      body: expect.objectContaining({
        ...{ specversion: '1.0', id, type: name, source: '/codehost', data: { run: 1 } },
      }) as object,
    }),
  },
}

describe.each(Object.entries(buses))('%s as the bus', (_, bus) => {
  it('receives all events, also after rejections, and its key appears nowhere', async () => {
    await using receiver = await openReceiver(503)
    await using data = await temporaryDirectory()
    const address = bus.address(receiver.url.replace('http://', ''))
    await using server = await startInProcess({
      ...{ DATA_DIR: data.path, LOG_LEVEL: 'debug', BUS_URL: address },
    })
    const secrets = await getSecrets(data.path)
    const { data: answer } = await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(1))
    expect(answer.status).toBe('accepted')
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0)
    receiver.answer(bus.take)

    const token = await adminToken(server.base, secrets)
    const readIds = async () => (await publishedEvents(server.base, token)).map(({ id }) => id)
    await expect.poll(readIds).toEqual([answer.events[0]?.id])
    for (const request of receiver.requests.filter(({ method }) => method === 'POST'))
      expect(bus.requestOf(request)).toEqual(bus.expected(answer.events[0]!.id))

    const ready = await fetch(`${server.base}/ready`, { headers: { authorization: `Bearer ${token}` } })
    expect(ready.status).toBe(200)
    const body = await ready.text()
    expect(body).toContain('"bus":"ok"')
    expect(body).not.toContain(key)

    await server.stop()
    expect(server.output()).toContain('The bus answered 503')
    expect(server.output()).not.toContain(key)
    expect(server.output()).not.toContain(Buffer.from(`user:${key}`).toString('base64'))
  })
})

describe('a wrong BUS_URL', () => {
  it.each([
    `inngest+http://127.0.0.1:1/${key}`,
    `inngest+http://127.0.0.1:1/e/${key}?x`,
    `inngest+http://127.0.0.1:1/e/${key}%`,
    `inngest+ftp://127.0.0.1:1/e/${key}`,
    `cloudevents+http://${key}#x`,
    `cloudevents:${key}`,
  ])('stops the start and is not quoted: %s', async (address) => {
    await using data = await temporaryDirectory()
    const [problem, ...others] = await startProblems({ DATA_DIR: data.path, BUS_URL: address })
    expect(problem).toMatch(/^BUS_URL has to be an address such as .*inngest\+https:\/\/host\/e\/KEY/m)
    expect(problem).not.toContain(key)
    expect(others).toEqual([])
  })
})
