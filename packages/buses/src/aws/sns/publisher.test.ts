import {
  CreateTopicCommand,
  SetSubscriptionAttributesCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns'
import { describeWith, unusedPort } from '@sallyport/test-support/services'
import { testPublisher } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import {
  createClientOptions,
  createEvent,
  createQueue,
  readArn,
  readEvents,
  type TestQueue,
} from '../../../test/aws/aws-server.ts'
import { decodeMessage } from '../lambda/index.ts'
import { createSnsPublisher } from './index.ts'

const { signal } = new AbortController()

describeWith('moto', (connection) => {
  let count = 0
  const clientOptions = () => createClientOptions(connection().url)

  /** Creates a topic and a queue that is subscribed to it. */
  async function createTopic(end = '', subscription: Record<string, string> = {}) {
    const name = `${connection().prefix}sns-${String(++count)}${end}`
    const queue = await createQueue(connection().url, name)
    const client = new SNSClient(clientOptions())
    const fifo = end === '' ? {} : { FifoTopic: 'true' }
    const { TopicArn } = await client.send(new CreateTopicCommand({ Name: name, Attributes: fifo }))
    const { SubscriptionArn } = await client.send(
      new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: await readArn(queue) }),
    )
    for (const [AttributeName, AttributeValue] of Object.entries(subscription))
      await client.send(
        new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue }),
      )
    return { queue, client, topicArn: String(TopicArn) }
  }

  describe.each(['', '.fifo'])('on a topic whose name ends with "%s"', (end) => {
    const queues = new WeakMap<object, TestQueue>()
    testPublisher(
      { describe, expect, it },
      {
        async create() {
          const { queue, topicArn } = await createTopic(end)
          // Moto is a server for development.
          const bus = createSnsPublisher({ topicArn, clientOptions: clientOptions(), timeoutMs: 60_000 })
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
  })

  it('delivers an event once in a FIFO topic, in the group of its subject', async () => {
    const { queue, topicArn, client } = await createTopic('.fifo', { RawMessageDelivery: 'true' })
    const bus = createSnsPublisher({ topicArn, client })
    const events = ['1', '2', '3'].map((id) => createEvent(id))
    for (let attempt = 0; attempt < 2; attempt++) await bus.publish(events, signal)
    const messages = await queue.drain()
    expect(messages.map(({ Body }) => decodeMessage(String(Body)).id)).toEqual(['1', '2', '3'])
    expect(messages.map(({ Attributes }) => Attributes?.MessageGroupId)).toEqual(['front', 'front', 'front'])
  })

  it('publishes attributes that a filter policy matches', async () => {
    const FilterPolicy = JSON.stringify({ provider: ['doorbell'], name: [{ prefix: 'doorbell/bell.' }] })
    const { queue, topicArn, client } = await createTopic('', { FilterPolicy })
    const events = [createEvent('1'), createEvent('2', { name: 'doorbell/battery.low' })]
    await createSnsPublisher({ topicArn, client }).publish(events, signal)
    expect((await readEvents(queue)).map(({ id }) => id)).toEqual(['1'])
  })

  it('reports a missing topic', async () => {
    const topicArn = 'arn:aws:sns:us-east-1:123456789012:missing'
    const bus = createSnsPublisher({ topicArn, clientOptions: clientOptions() })
    const error = expect.stringMatching(/^SNS: NotFound/) as string
    expect(await bus.publish([createEvent('1')], signal)).toEqual([{ ok: false, retryable: true, error }])
    await expect(bus.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: error })
    await bus.close()
  })
})

describe('createSnsPublisher', () => {
  it('reports a server that does not answer', async () => {
    const clientOptions = createClientOptions(`http://127.0.0.1:${String(await unusedPort())}`)
    const topicArn = 'arn:aws:sns:us-east-1:123456789012:events'
    const bus = createSnsPublisher({ topicArn, clientOptions })
    const error = 'SNS: ECONNREFUSED'
    expect(await bus.publish([createEvent('1')], signal)).toEqual([{ ok: false, retryable: true, error }])
  })

  it.each(['', 'events', 'arn:aws:sqs:us-east-1:123456789012:events', 'arn:aws:sns:us-east-1:1:events'])(
    'rejects the ARN %s',
    (topicArn) => {
      expect(() => createSnsPublisher({ topicArn })).toThrow('topicArn must be the ARN of a topic')
    },
  )
})
