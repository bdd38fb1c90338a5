import { callHook } from '@sallyport/internal/promises'
import type { WebhookEvent, MaybePromise } from '@sallyport/webhooks'
import { decodeMessage } from './decode-message.ts'

/** The event of a function with a queue of SQS as its source; other members are ignored. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[]
}

export interface SqsRecord {
  readonly messageId: string
  readonly body: string
  /** `SentTimestamp`, and `MessageGroupId` for a FIFO queue. */
  readonly attributes?: Readonly<Record<string, string | undefined>>
}

/** The messages of a batch that SQS delivers again. */
export interface SqsBatchResponse {
  batchItemFailures: { itemIdentifier: string }[]
}

export interface SqsHandlerOptions {
  /** Called with each failure: of the handler with its event, or of a message that is not an event. */
  readonly onError?: (error: unknown, event?: WebhookEvent) => unknown
}

/**
 * Creates a handler of AWS Lambda for a queue of SQS. The queue has the events of a publisher of this package: sent to the
 * queue, or by SNS or EventBridge, with the envelope of the service or without it.
 *
 * A message whose handler throws, and a message that is not an event, is delivered again, and moves to the dead-letter
 * queue after `maxReceiveCount` of the redrive policy. The other messages of the batch are deleted. Set
 * `ReportBatchItemFailures` in the event source mapping; without it, Lambda deletes all messages.
 *
 * Messages of a FIFO queue are handled one after the other in each group. After a failure, the rest of the group is
 * delivered again, so that the order stays. Other messages are handled at the same time.
 *
 * An event can be delivered again after its handler has returned, so a handler must be idempotent by `event.id`.
 *
 * @example
 * ```ts
 * import { createSqsHandler } from '@sallyport/buses/lambda'
 *
 * export const handler = createSqsHandler((event) => {
 *   console.log(event.id, event.name, event.data)
 * })
 * ```
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function createSqsHandler(
  handle: (event: WebhookEvent) => MaybePromise<unknown>,
  { onError }: SqsHandlerOptions = {},
): (event: SqsEvent) => Promise<SqsBatchResponse> {
  /** Returns whether the message was handled. */
  async function handleRecord({ body }: SqsRecord): Promise<boolean> {
    let event: WebhookEvent | undefined
    try {
      event = decodeMessage(body)
      await handle(event)
      return true
    } catch (error) {
      callHook(onError, error, event)
      return false
    }
  }

  /** Handles messages in their order and returns those that remain after a failure. */
  async function handleGroup(records: readonly SqsRecord[]): Promise<readonly SqsRecord[]> {
    for (const [index, record] of records.entries())
      if (!(await handleRecord(record))) return records.slice(index)
    return []
  }

  return async ({ Records }) => {
    const groups = new Map<string, SqsRecord[]>()
    for (const record of Records) {
      const group = record.attributes?.['MessageGroupId']
      const key = group === undefined ? `message ${record.messageId}` : `group ${group}`
      groups.set(key, [...(groups.get(key) ?? []), record])
    }
    const remaining = await Promise.all(Array.from(groups.values(), handleGroup))
    return {
      batchItemFailures: remaining.flat().map(({ messageId }) => ({ itemIdentifier: messageId })),
    }
  }
}
