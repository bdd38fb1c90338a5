import { SQSServiceException, type SQSClient } from '@aws-sdk/client-sqs'
import { describeWith, unusedPort } from '@sallyport/test-support/services'
import { decodeEvent } from '@sallyport/webhooks/consumer'
import { testPublisher } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import {
  createClientOptions,
  createEvent,
  createQueue,
  type TestQueue,
} from '../../../test/aws/aws-server.ts'
import { createSqsPublisher } from './index.ts'

const { signal } = new AbortController()

const servers = ['elasticmq', 'moto'] as const
const kinds = [
  ['a standard queue', ''],
  ['a FIFO queue', '.fifo'],
] as const

for (const server of servers)
  describeWith(server, (connection) => {
    let count = 0
    const open = (end = '', attributes: Record<string, string> = {}) =>
      createQueue(connection().url, `${connection().prefix}${String(++count)}${end}`, attributes)
    const clientOptions = () => createClientOptions(connection().url)

    it('publishes an event as JSON with attributes', async () => {
      const queue = await open()
      const bus = createSqsPublisher({ queueUrl: queue.queueUrl, client: queue.client })
      const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
      const event = createEvent('doorbell:1', { data: { door: 'é\ufffe\u0000' }, trace })
      expect(await bus.publish([event], signal)).toEqual([{ ok: true }])
      const [message] = await queue.drain()
      expect(JSON.parse(String(message?.Body))).toEqual(event)
      const attributes = Object.entries(message?.MessageAttributes ?? {})
      expect(Object.fromEntries(attributes.map(([name, { StringValue }]) => [name, StringValue]))).toEqual({
        ...{ name: 'doorbell/bell.rung', provider: 'doorbell', traceparent: trace.traceparent },
      })
    })

    it('stores an event once in a FIFO queue, in the group of its subject', async () => {
      const queue = await open('.fifo')
      const bus = createSqsPublisher({ queueUrl: queue.queueUrl, clientOptions: clientOptions() })
      const events = Array.from({ length: 25 }, (_, index) =>
        createEvent(`doorbell:${String(index)}`, { subject: index % 5 === 0 ? 'hintere Tür' : 'front' }),
      )
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await bus.publish(events, signal)).toEqual(events.map(() => ({ ok: true })))
      const messages = await queue.drain()
      const received = messages.map(({ Body }) => decodeEvent(JSON.parse(String(Body))))
      for (const subject of ['hintere Tür', 'front'])
        expect(received.filter((one) => one.subject === subject).map(({ id }) => id)).toEqual(
          events.filter((one) => one.subject === subject).map(({ id }) => id),
        )
      const groups = new Set(messages.map(({ Attributes }) => Attributes?.MessageGroupId))
      expect([...groups].sort()).toEqual(['front', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)])
    })

    it('reports a missing queue once, and that it answers again', async () => {
      const onUnavailable = vi.fn()
      const onAvailable = vi.fn()
      const queue = await open()
      const queueUrl = `${queue.queueUrl}-later`
      const hooks = { onUnavailable, onAvailable }
      const bus = createSqsPublisher({ queueUrl, clientOptions: clientOptions(), ...hooks })
      const failure = expect.stringMatching(/^SQS: .*(?:NonExistentQueue|QueueDoesNotExist)/) as string
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await bus.publish([createEvent('1')], signal)).toEqual([
          { ok: false, retryable: true, error: failure },
        ])
      await expect(bus.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: failure })
      expect(onUnavailable).toHaveBeenCalledOnce()
      await createQueue(connection().url, queueUrl.slice(queueUrl.lastIndexOf('/') + 1))
      expect(await bus.publish([createEvent('1')], signal)).toEqual([{ ok: true }])
      expect(onAvailable).toHaveBeenCalledOnce()
      await bus.close()
      await expect(bus.publish([], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    })
  })

// Moto takes more than four seconds for the largest batch of the suite.
describeWith('elasticmq', (connection) => {
  let count = 0
  describe.each(kinds)('on %s', (_, end) => {
    const queues = new WeakMap<object, TestQueue>()
    const readEvents = async (bus: object) => {
      const messages = (await queues.get(bus)?.drain()) ?? []
      return messages.map(({ Body }) => decodeEvent(JSON.parse(String(Body))))
    }
    testPublisher(
      { describe, expect, it },
      {
        async create() {
          const queue = await createQueue(connection().url, `${connection().prefix}s${String(++count)}${end}`)
          const bus = createSqsPublisher({
            queueUrl: queue.queueUrl,
            clientOptions: createClientOptions(connection().url),
          })
          await bus.ping()
          queues.set(bus, queue)
          return bus
        },
        async events(bus) {
          return (await readEvents(bus)).sort((one, other) => (one.id < other.id ? -1 : 1))
        },
        tooLargeBytes: 2 * 1024 * 1024,
        deduplicates: false,
        ordered: false,
      },
    )
  })

  it('publishes the other events of a batch that the queue refuses as too large', async () => {
    const queue = await createQueue(connection().url, `${connection().prefix}small`, {
      MaximumMessageSize: '1024',
    })
    const bus = createSqsPublisher({
      queueUrl: queue.queueUrl,
      clientOptions: createClientOptions(connection().url),
    })
    const large = createEvent('large', { data: 'x'.repeat(300_000) })
    const results = await bus.publish([createEvent('1'), large, createEvent('2')], signal)
    expect(results).toMatchObject([{ ok: true }, { retryable: false, tooLarge: true }, { ok: true }])
  })
})

describe('createSqsPublisher', () => {
  const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/events'

  /** A client that answers each batch, and the ids of the events of each request. */
  function stub(answer: (ids: readonly string[]) => unknown) {
    const requests: (readonly string[])[] = []
    const client = {
      destroy: vi.fn(),
      send({ input }: { readonly input: { readonly Entries: readonly { MessageBody: string }[] } }) {
        const ids = input.Entries.map(({ MessageBody }) => (JSON.parse(MessageBody) as { id: string }).id)
        requests.push(ids)
        return Promise.resolve(answer(ids))
      },
    }
    return { requests, client: client as unknown as SQSClient, destroy: client.destroy }
  }

  const take = (ids: readonly string[]) => ({ Successful: ids.map((_, index) => ({ Id: String(index) })) })
  const refuse = (name: string) => {
    throw new SQSServiceException({ name, message: 'a private message', $fault: 'client', $metadata: {} })
  }
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index))
  const events = (count: number) => ids(count).map((id) => createEvent(id))

  it('sends requests of ten events and at most 1 MiB', async () => {
    const { client, requests } = stub(take)
    const bus = createSqsPublisher({ queueUrl, client })
    await bus.publish(events(25), signal)
    expect(requests.map(({ length }) => length)).toEqual([10, 10, 5])
    requests.length = 0
    await bus.publish(
      ids(5).map((id) => createEvent(id, { data: 'x'.repeat(300_000) })),
      signal,
    )
    expect(requests).toEqual([
      ['0', '1', '2'],
      ['3', '4'],
    ])
  })

  it('returns the failures of single messages', async () => {
    const { client } = stub((given) => ({
      Successful: [{ Id: '0' }],
      Failed: [
        { Id: '1', Code: 'InternalError', Message: 'a private message', SenderFault: false },
        { Id: '2', Code: 'InvalidMessageContents', Message: 'a private message', SenderFault: true },
        { Id: '3', Code: 'InvalidParameterValue', Message: 'Message must be shorter than 1024 bytes' },
      ].slice(0, given.length),
    }))
    const results = await createSqsPublisher({ queueUrl, client }).publish(events(5), signal)
    expect(results).toEqual([
      { ok: true },
      { ok: false, retryable: true, error: 'SQS: InternalError' },
      { ok: false, retryable: false, error: 'SQS: InvalidMessageContents' },
      expect.objectContaining({ retryable: false, tooLarge: true }),
      { ok: false, retryable: true, error: 'The service took too long' },
    ])
  })

  it('isolates the event for which a request is refused', async () => {
    const { client } = stub((given) => (given.includes('3') ? refuse('InvalidParameterValue') : take(given)))
    const results = await createSqsPublisher({ queueUrl, client }).publish(events(8), signal)
    const failure = { ok: false, retryable: true, error: 'SQS: InvalidParameterValue' }
    expect(results).toEqual(ids(8).map((id) => (id === '3' ? failure : { ok: true })))
  })

  it('sends nothing further after a request that no event caused', async () => {
    const { client, requests } = stub(() => refuse('AccessDenied'))
    const bus = createSqsPublisher({ queueUrl, client, concurrency: 1 })
    const results = await bus.publish(events(30), signal)
    expect(results).toEqual(results.map(() => ({ ok: false, retryable: true, error: 'SQS: AccessDenied' })))
    expect(requests).toHaveLength(1)
    // The publisher may send without the permission to read attributes.
    const denied = { send: () => refuse('AccessDenied'), destroy: vi.fn() } as unknown as SQSClient
    await createSqsPublisher({ queueUrl, client: denied }).ping()
  })

  it('returns the results so far at the timeout', async () => {
    const { client } = stub((given) => (given.includes('0') ? take(given) : new Promise(() => undefined)))
    const results = await createSqsPublisher({ queueUrl, client, timeoutMs: 50 }).publish(events(11), signal)
    expect(results.map(({ ok }) => ok)).toEqual(ids(11).map((id) => id !== '10'))
  })

  it('reports a server that does not answer', async () => {
    const url = `http://127.0.0.1:${String(await unusedPort())}/1/queue`
    const clientOptions = createClientOptions(new URL(url).origin)
    const bus = createSqsPublisher({ queueUrl: url, clientOptions })
    const error = 'SQS: ECONNREFUSED'
    expect(await bus.publish(events(1), signal)).toEqual([{ ok: false, retryable: true, error }])
    await expect(bus.ping()).rejects.toThrow(error)
  })

  it('reports credentials that do not arrive', async () => {
    const credentials = () => new Promise<never>(() => undefined)
    const bus = createSqsPublisher({ queueUrl, clientOptions: { credentials }, timeoutMs: 50 })
    expect(await bus.publish(events(1), signal)).toMatchObject([{ ok: false, retryable: true }])
    await expect(bus.ping()).rejects.toThrow('SQS: TimeoutError')
    await bus.close()
  }, 10_000)

  it('leaves the client of the application open', async () => {
    const { client, destroy } = stub(take)
    const bus = createSqsPublisher({ queueUrl, client })
    await bus.publish(events(1), signal)
    await bus.close()
    expect(destroy).not.toHaveBeenCalled()
  })

  it.each(['', 'sqs', 'ftp://host/queue', 'https://user:secret@host/queue'])('rejects the URL %s', (url) => {
    expect(() => createSqsPublisher({ queueUrl: url })).toThrow('queueUrl must be the https URL of a queue')
  })
})
