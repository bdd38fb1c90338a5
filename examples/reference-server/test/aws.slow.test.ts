import { createHmac, randomUUID } from 'node:crypto'
import {
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { decodeMessage } from '@sallyport/buses/lambda'
import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { acceptOne } from './accept-one.ts'
import { testBus, workflowRun } from './bus-suite.ts'
import {
  adminToken,
  getSecrets,
  publishedEvents,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const environment = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' }
const createOptions = (endpoint: string) => ({
  ...{ endpoint, region: environment.AWS_REGION },
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
})

/** Creates a queue, and a function that returns the ids of its events. */
async function createQueue(endpoint: string, end = '') {
  const client = new SQSClient(createOptions(endpoint))
  const Attributes: Record<string, string> = end === '' ? {} : { FifoQueue: 'true' }
  const { QueueUrl } = await client.send(
    new CreateQueueCommand({ QueueName: `server-${randomUUID()}${end}`, Attributes }),
  )
  const attributes = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })
  const { Attributes: found } = await client.send(attributes)
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 })
  return {
    url: String(QueueUrl),
    arn: String(found?.['QueueArn']),
    ids: async () => {
      const { Messages = [] } = await client.send(receive)
      return Messages.map(({ Body }) => decodeMessage(String(Body)).id)
    },
  }
}

describeWith('elasticmq', (elasticmq) => {
  testBus(
    async () => {
      const queue = await createQueue(elasticmq().url, '.fifo')
      return { ...queue, url: `sqs+${queue.url}`, environment }
    },
    { hasQueue: false },
  )

  /** Creates a request of API Gateway with a signed delivery. */
  function createMessage(secret: string, run: number): string {
    const body = JSON.stringify(workflowRun(run))
    return JSON.stringify({
      ...{ httpMethod: 'POST', path: '/prod/webhooks/codehost', isBase64Encoded: true },
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body: Buffer.from(body).toString('base64'),
      requestContext: { stage: 'prod', requestTimeEpoch: Date.now() },
    })
  }

  it('takes each delivery of the inbound queue once, also after the server was killed', async () => {
    const client = new SQSClient(createOptions(elasticmq().url))
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({
        ...{ QueueName: `server-${randomUUID()}`, Attributes: { VisibilityTimeout: '2' } },
      }),
    )
    await using data = await temporaryDirectory()
    const settings = {
      ...{ DATA_DIR: data.path, INBOUND_QUEUE_URL: `sqs+${String(QueueUrl)}`, ...environment },
    }
    await using killed = await startServerProcess(settings)
    const secrets = await getSecrets(data.path)
    const send = (secret: string, runs: readonly number[]) =>
      client.send(
        new SendMessageBatchCommand({
          QueueUrl,
          Entries: runs.map((run) => ({ Id: String(run), MessageBody: createMessage(secret, run) })),
        }),
      )
    const runs = Array.from({ length: 50 }, (_, index) => index + 1)
    for (let start = 0; start < runs.length; start += 10)
      await send(secrets['WEBHOOK_SECRET_CODEHOST']!, runs.slice(start, start + 10))
    const token = await adminToken(killed.base, secrets)
    await expect.poll(async () => (await publishedEvents(killed.base, token)).length).toBeGreaterThan(0)
    await killed.end('SIGKILL')

    await using server = await startServerProcess(settings)
    expect(server.output()).toContain('"inbound":"sqs+http://')
    await expect.poll(async () => (await publishedEvents(server.base, token)).length).toBe(runs.length)
    await send('another secret', [51])
    await expect.poll(() => server.output()).toContain('"code":"INVALID_SIGNATURE"')
    const read = async () => {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })
      const { Attributes = {} } = await client.send(command)
      return (
        Number(Attributes.ApproximateNumberOfMessages) +
        Number(Attributes.ApproximateNumberOfMessagesNotVisible)
      )
    }
    await expect.poll(read).toBe(1)
    const ids = (await publishedEvents(server.base, token)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(runs.length)
    expect(ids).toHaveLength(runs.length)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describeWith('moto', (moto) => {
  async function publishOn(address: string): Promise<string> {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({
      ...{ DATA_DIR: data.path, BUS_URL: address, AWS_ENDPOINT_URL: moto().url, ...environment },
    })
    expect(server.output()).toContain(`"bus":"${address}"`)
    const { id, token } = await acceptOne(server.base, await getSecrets(data.path), workflowRun(1))
    await expect.poll(() => publishedEvents(server.base, token)).toMatchObject([{ id }])
    expect(await server.end('SIGTERM')).toBe(0)
    return id
  }

  it('publishes on a topic of SNS', async () => {
    const queue = await createQueue(moto().url)
    const client = new SNSClient(createOptions(moto().url))
    const { TopicArn } = await client.send(new CreateTopicCommand({ Name: `server-${randomUUID()}` }))
    await client.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: queue.arn }))
    const id = await publishOn(`sns:${String(TopicArn)}`)
    expect(await queue.ids()).toEqual([id])
  })

  it('publishes on an event bus of EventBridge', async () => {
    const queue = await createQueue(moto().url)
    const client = new EventBridgeClient(createOptions(moto().url))
    const Name = `server-${randomUUID()}`
    await client.send(new PutRuleCommand({ Name, EventPattern: '{"source":["sallyport"]}' }))
    await client.send(new PutTargetsCommand({ Rule: Name, Targets: [{ Id: '1', Arn: queue.arn }] }))
    const id = await publishOn('eventbridge:default')
    // A request that times out on a busy machine is repeated.
    expect(new Set(await queue.ids())).toEqual(new Set([id]))
    // The rules of many runs make each publication slow.
    await client.send(new RemoveTargetsCommand({ Rule: Name, Ids: ['1'] }))
    await client.send(new DeleteRuleCommand({ Name }))
  })
})
