import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '@aws-sdk/client-sqs'
import { runWithTimeout, untilAborted, withDeadline } from '@sallyport/internal/deadline'
import { integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Gateway } from '@sallyport/webhooks'
import type { LambdaHandlerOptions } from '@sallyport/webhooks/lambda'
import { createDeliver, type RefusedMessage } from '../internal/deliver.ts'
import { createSqsClient, type SqsQueue } from './client.ts'

export interface SqsHostOptions extends SqsQueue, LambdaHandlerOptions {
  /** Concurrent receives, each of up to ten messages. @default 2 */
  readonly receivers?: number
  /** Called for each refused message, each time that the queue delivers it. */
  readonly onRefused?: (message: RefusedMessage) => unknown
  /** Called with errors of SQS, and with a `TimeoutError` after a timeout; the host continues. */
  readonly onError?: (error: unknown) => unknown
  /** The longest wait for messages in one request, in seconds, up to 20. @default 20 */
  readonly waitSeconds?: number
  /** Timeout of a request to SQS, in milliseconds. A receipt has `waitSeconds` in addition. @default 10,000 */
  readonly timeoutMs?: number
}

/** Takes deliveries from a queue. */
export interface SqsHost {
  start(): void
  /**
   * Ends the receipt and waits for the running deliveries. SQS delivers again the messages that remain.
   *
   * @param graceMs the longest wait in milliseconds, by default the timeout of a request
   */
  stop(graceMs?: number): Promise<void>
}

/**
 * Creates a host that takes deliveries from a queue of SQS and passes them to a gateway, for services that never send a
 * delivery again. A message is a request in the format of API Gateway for Lambda, which API Gateway can write to a queue.
 *
 * The host deletes a message when the gateway has recorded, ignored or quarantined the delivery. A delivery that the
 * gateway refuses stays in the queue, which moves it to its dead-letter queue after `maxReceiveCount` of the redrive
 * policy: operators can send it again by a redrive after they have corrected a secret. While the gateway is unavailable,
 * the host pauses, and the deliveries wait in the queue.
 *
 * Signed times are compared with the time of the request in the message (`requestContext.requestTimeEpoch`, or `timeEpoch`
 * in the payload format 2.0, in milliseconds), or with the time at which SQS received the message, if that is earlier or
 * the only one. A delivery can wait, and a redrive keeps the time of the request. A sender of messages can choose it, and
 * make an old delivery valid, so only the API may send messages to the queue. No limit per client address applies, unless
 * `clientAddress` is set.
 *
 * @throws TypeError if the URL or an option is invalid
 *
 * @example
 * ```ts
 * import { createSqsHost } from '@sallyport/buses/sqs'
 * import type { Gateway } from '@sallyport/webhooks'
 *
 * declare const gateway: Gateway
 * const host = createSqsHost(gateway, {
 *   queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/deliveries',
 * })
 * host.start()
 * ```
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
 */
export function createSqsHost(gateway: Gateway, options: SqsHostOptions): SqsHost {
  const { queueUrl: QueueUrl, onRefused, onError } = options
  const receivers = integerOption('receivers', options.receivers ?? 2, 1, 100)
  const WaitTimeSeconds = integerOption('waitSeconds', options.waitSeconds ?? 20, 0, 20)
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 10_000)
  const lazy = createSqsClient(options)
  const deliver = createDeliver(gateway, options)
  const stopping = new AbortController()
  const isStopping = () => stopping.signal.aborted
  let running: readonly Promise<void>[] = []

  /** Returns the messages of the next request; none after a stop. */
  async function receive(): Promise<readonly Message[]> {
    const { module, client } = await lazy.load()
    const command = new module.ReceiveMessageCommand({
      ...{ QueueUrl, WaitTimeSeconds, MaxNumberOfMessages: 10 },
      MessageSystemAttributeNames: ['SentTimestamp'],
    })
    const { Messages = [] } = await runWithTimeout(WaitTimeSeconds * 1000 + timeoutMs, (late) => {
      const ended = AbortSignal.any([stopping.signal, late])
      // The client ignores the signal while it waits for credentials.
      return untilAborted(client.send(command, { abortSignal: ended }), ended)
    })
    return Messages
  }

  async function deleteMessages(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    const { module, client } = await lazy.load()
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    // A message that is not deleted is delivered again, and is a duplicate.
    const command = new module.DeleteMessageBatchCommand({ QueueUrl, Entries })
    await runWithTimeout(timeoutMs, (abortSignal) => client.send(command, { abortSignal }))
  }

  /** Delivers messages and returns the pause that the gateway asks for, in milliseconds. */
  async function deliverAll(messages: readonly Message[]): Promise<number | undefined> {
    const taken: Message[] = []
    const pauses: number[] = []
    await Promise.all(
      messages.map(async (message) => {
        const sentAt = Number(message.Attributes?.SentTimestamp)
        const { MessageId: messageId = '', Body: body = '' } = message
        const delivered = await deliver({ messageId, body, sentAt })
        if (delivered.outcome === 'taken') taken.push(message)
        else if (delivered.outcome === 'refused') callHook(onRefused, delivered.refused)
        else pauses.push(delivered.afterMs)
      }),
    )
    await deleteMessages(taken)
    return pauses.length === 0 ? undefined : Math.max(...pauses)
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopping()) {
      let pauseMs: number | undefined
      try {
        pauseMs = await deliverAll(await receive())
      } catch (error) {
        if (isStopping()) return
        callHook(onError, error)
        pauseMs = 0
      }
      failures = pauseMs === undefined ? 0 : failures + 1
      if (pauseMs !== undefined) await pause(Math.max(pauseMs, backoffMs(failures)), stopping.signal)
    }
  }

  return {
    start() {
      if (running.length === 0 && !isStopping()) running = Array.from({ length: receivers }, run)
    },
    async stop(graceMs = timeoutMs) {
      stopping.abort()
      await withDeadline(graceMs, Promise.all(running)).catch(() => undefined)
      lazy.close()
    },
  }
}

const longestPauseMs = 60_000

/** A second after the first failure, doubled up to a minute. Each receipt counts for `maxReceiveCount`. */
const backoffMs = (failures: number): number =>
  Math.min(longestPauseMs, 1000 * 2 ** Math.min(failures - 1, 10))

const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(Math.min(milliseconds, longestPauseMs), undefined, { signal }).catch(() => undefined)
