import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
  type Message,
} from '@aws-sdk/client-sqs'
import type { WebhookEvent } from '@sallyport/webhooks'
import { decodeMessage } from '../../src/aws/lambda/index.ts'

/** Options of a client for a test server, which accepts any credentials. */
export const createClientOptions = (endpoint: string) => ({
  ...{ endpoint, region: 'us-east-1' },
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
})

/** A new queue on a test server. */
export interface TestQueue {
  readonly queueUrl: string
  readonly client: SQSClient
  /** Receives and deletes all messages. */
  readonly drain: () => Promise<readonly Message[]>
}

export async function createQueue(
  endpoint: string,
  name: string,
  attributes: Record<string, string> = {},
): Promise<TestQueue> {
  const client = new SQSClient(createClientOptions(endpoint))
  const fifo = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {}
  const { QueueUrl } = await client.send(
    new CreateQueueCommand({ QueueName: name, Attributes: { ...fifo, ...attributes } }),
  )
  const queueUrl = String(QueueUrl)
  return { queueUrl, client, drain: () => drainQueue(client, queueUrl) }
}

async function drainQueue(client: SQSClient, QueueUrl: string): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (let isEmpty = false; !isEmpty;) {
    const command = new ReceiveMessageCommand({
      ...{ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 },
      ...{ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] },
    })
    const { Messages = [] } = await client.send(command)
    isEmpty = Messages.length === 0
    messages.push(...Messages)
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    if (!isEmpty) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
  }
  return messages
}

/** Returns the ARN of a queue. */
export async function readArn({ client, queueUrl: QueueUrl }: TestQueue): Promise<string> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })
  const { Attributes } = await client.send(command)
  return String(Attributes?.['QueueArn'])
}

/** Receives and deletes all messages, and returns their events ordered by id. */
export async function readEvents(queue: TestQueue): Promise<WebhookEvent[]> {
  const messages = await queue.drain()
  const events = messages.map(({ Body }) => decodeMessage(String(Body)))
  return events.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Creates an event of the provider `doorbell`. */
export function createEvent(id: string, rest: Partial<WebhookEvent> = {}): WebhookEvent {
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 5 }
  return {
    ...{ id, name: 'doorbell/bell.rung', subject: 'front', ts: Date.UTC(2026, 0), data: {}, source },
    ...rest,
  }
}
