import type { TraceContext } from './trace-context.ts'

/** A normalized fact inside a delivery. */
export interface WebhookEvent<Data = unknown> {
  /**
   * The idempotency key: the same for every redelivery, another for every other event.
   *
   * `<provider>:<kind>:<signed parts>`, or `<provider>:sha256:<hex>:<kind>` with the hash of the signed bytes. An event of an
   * endpoint begins with `<provider>@<endpoint>:`, so that no endpoint creates the ids of another.
   */
  readonly id: string
  /** `<provider>/<kind>`. */
  readonly name: string
  /** The entity of the event, for engines that partition or order by key. */
  readonly subject: string
  /** When the event happened according to the service, in milliseconds since the epoch. */
  readonly ts: number
  /** Undefined for an event with a `dataref`, and for an event whose data was erased. */
  readonly data: Data
  /**
   * A URI reference to the data of an event that is too large for the bus: the `dataref` extension of CloudEvents.
   *
   * @see https://github.com/cloudevents/spec/blob/main/cloudevents/extensions/dataref.md
   */
  readonly dataref?: string
  readonly source: EventSource
  /**
   * The trace of the delivery, for consumers to continue: `traceparent` and `tracestate` of the distributed tracing extension
   * of CloudEvents. A redelivery has another trace.
   */
  readonly trace?: TraceContext
}

/** The origin of an event. */
export interface EventSource {
  readonly provider: string
  /** The id of the endpoint that received the delivery; absent for the address without an endpoint. */
  readonly endpoint?: string
  readonly deliveryId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Set when the delivery was a manual test (`{ type, payload }`), whose data is what the tester sent. */
  readonly manual?: true
  /** The id of the original event; set by a replay that gave the event a new id. */
  readonly replayOf?: string
}

/** A message to the operators. */
export interface Message {
  readonly title: string
  readonly text: string
  readonly severity: 'info' | 'warning' | 'error'
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}
