import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { describeWith, unusedPort } from '@sallyport/test-support/services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import {
  createClientOptions,
  createEvent,
  createQueue,
  readArn,
  readEvents,
  type TestQueue,
} from '../../../test/aws/aws-server.ts'
import { createEventBridgePublisher } from './index.ts'

const { signal } = new AbortController()

describeWith('moto', (connection) => {
  let count = 0

  /** Creates an event bus with a rule whose target is a queue. */
  async function createBus(pattern: object) {
    const name = `${connection().prefix}bus-${String(++count)}`
    const queue = await createQueue(connection().url, name)
    const client = new EventBridgeClient(createClientOptions(connection().url))
    await client.send(new CreateEventBusCommand({ Name: name }))
    const rule = { EventBusName: name, Name: 'rule', EventPattern: JSON.stringify(pattern) }
    await client.send(new PutRuleCommand(rule))
    const Targets = [{ Id: '1', Arn: await readArn(queue) }]
    await client.send(new PutTargetsCommand({ EventBusName: name, Rule: 'rule', Targets }))
    return { queue, client, eventBusName: name }
  }

  const queues = new WeakMap<object, TestQueue>()
  testPublisher(
    { describe, expect, it },
    {
      async create() {
        const { queue, eventBusName } = await createBus({ source: ['sallyport'] })
        // Moto is a server for development.
        const clientOptions = createClientOptions(connection().url)
        const bus = createEventBridgePublisher({ eventBusName, clientOptions, timeoutMs: 60_000 })
        await bus.ping()
        queues.set(bus, queue)
        return bus
      },
      events: async (bus) => readEvents(queues.get(bus) as TestQueue),
      tooLargeBytes: 300_000,
      deduplicates: false,
      ordered: false,
    },
  )

  it('publishes events that a rule matches by name and by data', async () => {
    const pattern = { 'detail-type': ['doorbell/bell.rung'], detail: { data: { door: ['front'] } } }
    const { queue, client, eventBusName } = await createBus(pattern)
    const bus = createEventBridgePublisher({ eventBusName, client })
    const events = [
      createEvent('1', { data: { door: 'front' } }),
      createEvent('2', { data: { door: 'back' } }),
      createEvent('3', { data: { door: 'front' }, name: 'doorbell/battery.low' }),
    ]
    expect(await bus.publish(events, signal)).toEqual(events.map(() => ({ ok: true })))
    expect(await readEvents(queue)).toEqual(events.slice(0, 1))
  })

  it('reports a missing event bus to a ping', async () => {
    const clientOptions = createClientOptions(connection().url)
    const bus = createEventBridgePublisher({ eventBusName: `${connection().prefix}missing`, clientOptions })
    await expect(bus.ping()).rejects.toThrow('EventBridge: ResourceNotFoundException')
    await bus.close()
  })
})

describe('createEventBridgePublisher', () => {
  it('returns the failures of single events', async () => {
    const Entries = [
      { EventId: '1' },
      { ErrorCode: 'ThrottlingException', ErrorMessage: 'a private message' },
      { ErrorCode: 'MalformedDetail', ErrorMessage: 'a private message' },
    ]
    const client = { send: () => Promise.resolve({ Entries }), destroy: vi.fn() }
    const bus = createEventBridgePublisher({ client: client as unknown as EventBridgeClient })
    const events = ['1', '2', '3', '4'].map((id) => createEvent(id))
    expect(await bus.publish(events, signal)).toEqual([
      { ok: true },
      { ok: false, retryable: true, error: 'EventBridge: ThrottlingException' },
      { ok: false, retryable: false, error: 'EventBridge: MalformedDetail' },
      { ok: false, retryable: true, error: 'The service took too long' },
    ])
  })

  it('reports a server that does not answer', async () => {
    const clientOptions = createClientOptions(`http://127.0.0.1:${String(await unusedPort())}`)
    const bus = createEventBridgePublisher({ clientOptions })
    const error = 'EventBridge: ECONNREFUSED'
    expect(await bus.publish([createEvent('1')], signal)).toEqual([{ ok: false, retryable: true, error }])
  })

  it.each(['', 'a b', 'arn:aws:sns:us-east-1:123456789012:events'])('rejects the name "%s"', (name) => {
    expect(() => createEventBridgePublisher({ eventBusName: name })).toThrow('eventBusName must be')
  })
})
