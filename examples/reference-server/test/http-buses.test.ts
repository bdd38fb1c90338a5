import { openReceiver, type ReceivedRequest, type Receiver } from '@sallyport/test-support/hosts'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'

const key = 'the-key-of-the-bus'
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

it.each(Object.entries(buses))(
  '%s as the bus receives all events, also after rejections, and its key appears nowhere',
  async (_, bus) => {
    await using receiver = await openReceiver(503)
    await using api = await startApi({
      LOG_LEVEL: 'debug',
      BUS_URL: bus.address(receiver.url.replace('http://', '')),
    })
    const { events } = await api.deliver({ type: 'workflow_run.completed', payload: { run: 1 } })
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0)
    receiver.answer(bus.take)
    await expect.poll(async () => (await api.events()).map(({ id }) => id)).toEqual([events[0]?.id])
    for (const request of receiver.requests.filter(({ method }) => method === 'POST'))
      expect(bus.requestOf(request)).toEqual(bus.expected(events[0]!.id))
    const ready = await readiness(api.base, api.admin.token)
    expect(ready).toMatchObject({ status: 'ok', dependencies: { bus: 'ok' } })

    await api.stop()
    expect(api.output()).toContain('The bus answered 503')
    for (const text of [JSON.stringify(ready), api.output()]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(Buffer.from(`user:${key}`).toString('base64'))
    }
  },
)
