import type { PublishBatchRequestEntry, SNSClient, SNSClientConfig } from '@aws-sdk/client-sns'
import { createBatchPublisher } from '../internal/batch-publisher.ts'
import type { AwsBus, AwsBusOptions } from '../internal/bus.ts'
import { readBatchResponse } from '../internal/batch-response.ts'
import { createLazyClient, maxAttempts } from '../internal/lazy-client.ts'
import { encodeFifo, encodeMessage } from '../internal/message.ts'

export interface SnsPublisherOptions extends AwsBusOptions {
  /** Such as `arn:aws:sns:eu-central-1:123456789012:webhooks`. */
  readonly topicArn: string
  /** The client of the application, which stays open. @default a client with `clientOptions` */
  readonly client?: SNSClient
  /** Options of the client, if `client` is not set. */
  readonly clientOptions?: SNSClientConfig
  /**
   * Maximum size of an event with its attributes, in bytes, up to 1 MiB for a topic whose `MaximumMessageSize` is higher than
   * the default. A larger event is published with a reference to its data, if the dispatcher has `dataref`, and otherwise
   * becomes a dead letter.
   *
   * @default 262,144 (256 KiB)
   */
  readonly eventBytes?: number
}

/**
 * Creates a publisher on a topic of SNS. A message is an event as JSON, with the attributes `name`, `provider`, `endpoint`
 * and `traceparent`, which filter policies of subscriptions can match. Requests have up to ten messages.
 *
 * In a FIFO topic, whose name ends with `.fifo`, the group of a message is the subject of the event, and the deduplication
 * id is the id of the event.
 *
 * The client is loaded at the first call. Credentials are those of the environment, unless `client` or `clientOptions` has
 * others; the region is that of the ARN.
 *
 * @throws TypeError if the ARN is invalid or a number is out of range
 *
 * @example
 * ```ts
 * import { createSnsPublisher } from '@sallyport/buses/sns'
 *
 * export const publisher = createSnsPublisher({ topicArn: 'arn:aws:sns:eu-central-1:123456789012:webhooks' })
 * ```
 *
 * @see https://docs.aws.amazon.com/sns/latest/api/API_PublishBatch.html
 */
export function createSnsPublisher(options: SnsPublisherOptions): AwsBus {
  const { topicArn, client: given, clientOptions, eventBytes = 262_144 } = options
  const [, region] = /^arn:[\w-]+:sns:([\w-]+):\d{12}:[\w-]{1,256}(?:\.fifo)?$/.exec(topicArn) ?? []
  if (region === undefined) throw new TypeError('topicArn must be the ARN of a topic')
  const isFifo = topicArn.endsWith('.fifo')
  const lazy = createLazyClient(
    () => import('@aws-sdk/client-sns'),
    ({ SNSClient }) => new SNSClient({ region, maxAttempts, ...clientOptions }),
    given,
  )
  return createBatchPublisher<Omit<PublishBatchRequestEntry, 'Id'>>(
    {
      ...{
        service: 'SNS',
        eventBytes,
        requestBytes: eventBytes,
        close: () => {
          lazy.close()
        },
      },
      encode(event) {
        const { body, attributes, bytes } = encodeMessage(event)
        const entry = { Message: body, MessageAttributes: attributes, ...(isFifo && encodeFifo(event)) }
        return { entry, bytes }
      },
      async send(entries, abortSignal) {
        const { module, client } = await lazy.load()
        const batch = entries.map((entry, index) => ({ Id: String(index), ...entry }))
        const command = new module.PublishBatchCommand({
          ...{ TopicArn: topicArn, PublishBatchRequestEntries: batch },
        })
        return readBatchResponse('SNS', batch, await client.send(command, { abortSignal }))
      },
      async describe(abortSignal) {
        const { module, client } = await lazy.load()
        await client.send(new module.GetTopicAttributesCommand({ TopicArn: topicArn }), { abortSignal })
      },
    },
    { ...options, concurrency: options.concurrency ?? (isFifo ? 1 : 10) },
  )
}
