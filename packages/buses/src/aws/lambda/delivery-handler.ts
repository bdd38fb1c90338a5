import { callHook } from '@sallyport/internal/promises'
import type { Gateway } from '@sallyport/webhooks'
import type { LambdaHandlerOptions } from '@sallyport/webhooks/lambda'
import { createDeliver, type RefusedMessage } from '../internal/deliver.ts'
import type { SqsBatchResponse, SqsEvent } from './handler.ts'

export interface DeliveryHandlerOptions extends LambdaHandlerOptions {
  /** Called for each refused message, each time that the queue delivers it. */
  readonly onRefused?: (message: RefusedMessage) => unknown
}

/**
 * Creates a handler of AWS Lambda for a queue of deliveries, with the semantics of `createSqsHost` of
 * `@sallyport/buses/sqs`: a message that the gateway refuses, or may take later, is delivered again, and moves to the
 * dead-letter queue after `maxReceiveCount`. Signed times are compared with the same time. Set
 * `ReportBatchItemFailures` in the event source mapping.
 *
 * @throws TypeError if the base path does not start with a slash, or if `publicUrl` is not an http or https URL
 *
 * @example
 * ```ts
 * import { createDeliveryHandler } from '@sallyport/buses/lambda'
 * import type { Gateway } from '@sallyport/webhooks'
 *
 * declare const gateway: Gateway
 * export const handler = createDeliveryHandler(gateway)
 * ```
 */
export function createDeliveryHandler(
  gateway: Gateway,
  { onRefused, ...options }: DeliveryHandlerOptions = {},
): (event: SqsEvent) => Promise<SqsBatchResponse> {
  const deliver = createDeliver(gateway, options)
  return async ({ Records }) => {
    const failed = await Promise.all(
      Records.map(async ({ messageId, body, attributes }) => {
        const sentAt = Number(attributes?.['SentTimestamp'])
        const delivered = await deliver({ messageId, body, sentAt })
        if (delivered.outcome === 'refused') callHook(onRefused, delivered.refused)
        return delivered.outcome === 'taken' ? [] : [{ itemIdentifier: messageId }]
      }),
    )
    return { batchItemFailures: failed.flat() }
  }
}
