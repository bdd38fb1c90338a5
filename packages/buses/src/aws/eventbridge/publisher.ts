import { Buffer } from 'node:buffer'
import type {
  EventBridgeClient,
  EventBridgeClientConfig,
  PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge'
import { createBatchPublisher } from '../internal/batch-publisher.ts'
import type { AwsBus, AwsBusOptions } from '../internal/bus.ts'
import { timedOut, toEntryFailure } from '../internal/failure.ts'
import { createLazyClient, maxAttempts } from '../internal/lazy-client.ts'
import { toJson } from '../internal/message.ts'

export interface EventBridgePublisherOptions extends AwsBusOptions {
  /** The name or the ARN of an event bus. @default default */
  readonly eventBusName?: string
  /** The `source` of the events. @default sallyport */
  readonly source?: string
  /** The client of the application, which stays open. @default a client with `clientOptions` */
  readonly client?: EventBridgeClient
  /** Options of the client, if `client` is not set. */
  readonly clientOptions?: EventBridgeClientConfig
  /**
   * Maximum size of an entry, in bytes. A larger event is published with a reference to its data, if the dispatcher has
   * `dataref`, and otherwise becomes a dead letter.
   *
   * @default 262,144 (256 KiB)
   */
  readonly eventBytes?: number
}

/** The longest `detail-type`, in characters. */
const longestName = 128

/**
 * Creates a publisher on an event bus of EventBridge. The `detail-type` is the name of the event, such as `github/push`, and
 * the `detail` is the event, so that rules can match its members. Requests have up to ten events.
 *
 * The client is loaded at the first call. Region and credentials are those of the environment, unless `client` or
 * `clientOptions` has others.
 *
 * @throws TypeError if the name of the bus is invalid or a number is out of range
 *
 * @example
 * ```ts
 * import { createEventBridgePublisher } from '@sallyport/buses/eventbridge'
 *
 * export const publisher = createEventBridgePublisher({ eventBusName: 'webhooks' })
 * ```
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function createEventBridgePublisher(options: EventBridgePublisherOptions = {}): AwsBus {
  const { eventBusName = 'default', source = 'sallyport', client: given, clientOptions } = options
  const { eventBytes = 262_144 } = options
  const isArn = /^arn:[\w-]+:events:([\w-]*):\d{12}:event-bus\/[\w./-]+$/.exec(eventBusName)
  if (isArn === null && !/^[\w.-]{1,256}$/.test(eventBusName))
    throw new TypeError('eventBusName must be the name or the ARN of an event bus')
  const region = isArn?.[1]
  const lazy = createLazyClient(
    () => import('@aws-sdk/client-eventbridge'),
    ({ EventBridgeClient }) =>
      new EventBridgeClient({ ...(region && { region }), maxAttempts, ...clientOptions }),
    given,
  )
  return createBatchPublisher<PutEventsRequestEntry>(
    {
      ...{
        service: 'EventBridge',
        eventBytes,
        requestBytes: eventBytes,
        close: () => {
          lazy.close()
        },
      },
      encode(event) {
        if (event.name.length > longestName) throw new TypeError('The name of the event is too long')
        const Detail = toJson(event)
        const entry = {
          ...{ EventBusName: eventBusName, Source: source, DetailType: event.name, Detail },
          Time: new Date(event.ts),
        }
        // The time counts as 14 bytes.
        const bytes = [source, event.name, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), 14)
        return { entry, bytes }
      },
      async send(entries, abortSignal) {
        const { module, client } = await lazy.load()
        const command = new module.PutEventsCommand({ Entries: [...entries] })
        const { Entries = [] } = await client.send(command, { abortSignal })
        return entries.map((_, index) => {
          const { EventId, ErrorCode, ErrorMessage } = Entries[index] ?? {}
          if (ErrorCode !== undefined) return toEntryFailure('EventBridge', ErrorCode, ErrorMessage)
          return EventId === undefined ? timedOut : { ok: true }
        })
      },
      async describe(abortSignal) {
        const { module, client } = await lazy.load()
        await client.send(new module.DescribeEventBusCommand({ Name: eventBusName }), { abortSignal })
      },
    },
    options,
  )
}
