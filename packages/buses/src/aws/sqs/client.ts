import type * as Sqs from '@aws-sdk/client-sqs'
import { createLazyClient, maxAttempts, type LazyClient } from '../internal/lazy-client.ts'

/** A queue and the client for it. */
export interface SqsQueue {
  /** Such as `https://sqs.eu-central-1.amazonaws.com/123456789012/webhooks`. */
  readonly queueUrl: string
  /** The client of the application, which stays open. @default a client with `clientOptions` */
  readonly client?: Sqs.SQSClient
  /** Options of the client, if `client` is not set. */
  readonly clientOptions?: Sqs.SQSClientConfig
}

/** @throws TypeError if the URL of the queue is not http or https */
export function createSqsClient({
  queueUrl,
  client,
  clientOptions,
}: SqsQueue): LazyClient<typeof Sqs, Sqs.SQSClient> {
  const url = URL.parse(queueUrl)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new TypeError('queueUrl must be the https URL of a queue')
  const [, region] = /^sqs\.([a-z0-9-]+)\./.exec(url.hostname) ?? []
  return createLazyClient(
    () => import('@aws-sdk/client-sqs'),
    ({ SQSClient }) =>
      new SQSClient({ ...(region !== undefined && { region }), maxAttempts, ...clientOptions }),
    client,
  )
}
