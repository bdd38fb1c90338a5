import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs'
import { createBatchPublisher } from '../internal/batch-publisher.ts'
import type { AwsBus, AwsBusOptions } from '../internal/bus.ts'
import { readBatchResponse } from '../internal/batch-response.ts'
import { encodeFifo, encodeMessage } from '../internal/message.ts'
import { createSqsClient, type SqsQueue } from './client.ts'

export interface SqsPublisherOptions extends SqsQueue, AwsBusOptions {
  /**
   * Maximum size of an event with its attributes, in bytes. A larger event, and one that the queue refuses as too large, is
   * published with a reference to its data, if the dispatcher has `dataref`, and otherwise becomes a dead letter.
   *
   * @default 1,048,576 (1 MiB), the limit of SQS; a queue may have a lower `MaximumMessageSize`
   */
  readonly eventBytes?: number
}

/**
 * Creates a publisher on a queue of SQS. A message is an event as JSON, with the attributes `name`, `provider`, `endpoint`
 * and `traceparent`. Requests have up to ten messages, and messages that fail alone are retried alone.
 *
 * In a FIFO queue, whose name ends with `.fifo`, the group of a message is the subject of the event, and the deduplication
 * id is the id of the event. SQS stores an id once within five minutes.
 *
 * The client is loaded at the first call. Region and credentials are those of the environment, unless `client` or
 * `clientOptions` has others; the region defaults to that in the URL of the queue.
 *
 * @throws TypeError if the URL is invalid or a number is out of range
 *
 * @example
 * ```ts
 * import { createSqsPublisher } from '@sallyport/buses/sqs'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const publisher = createSqsPublisher({
 *   queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/webhooks.fifo',
 * })
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export function createSqsPublisher(options: SqsPublisherOptions): AwsBus {
  const { queueUrl, eventBytes = 1_048_576 } = options
  const lazy = createSqsClient(options)
  const isFifo = queueUrl.endsWith('.fifo')
  return createBatchPublisher<Omit<SendMessageBatchRequestEntry, 'Id'>>(
    {
      ...{
        service: 'SQS',
        eventBytes,
        requestBytes: 1_048_576,
        close: () => {
          lazy.close()
        },
      },
      encode(event) {
        const { body, attributes, bytes } = encodeMessage(event)
        const entry = { MessageBody: body, MessageAttributes: attributes, ...(isFifo && encodeFifo(event)) }
        return { entry, bytes }
      },
      async send(entries, abortSignal) {
        const { module, client } = await lazy.load()
        const Entries = entries.map((entry, index) => ({ Id: String(index), ...entry }))
        const command = new module.SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })
        return readBatchResponse('SQS', Entries, await client.send(command, { abortSignal }))
      },
      async describe(abortSignal) {
        const { module, client } = await lazy.load()
        const command = new module.GetQueueAttributesCommand({
          ...{ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] },
        })
        await client.send(command, { abortSignal })
      },
    },
    { ...options, concurrency: options.concurrency ?? (isFifo ? 1 : 10) },
  )
}
