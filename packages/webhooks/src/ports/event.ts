import type { TraceContext } from './trace-context.ts'

/** What the gateway tells the rest of a system about a delivery. */
export interface InternalEvent<Data = unknown> {
  /**
   * The idempotency key: the same for every redelivery, another for every other event.
   *
   * `<provider>:<kind>:<signed parts>`, or `<provider>:sha256:<hex>` of the signed bytes.
   */
  readonly id: string
  /** `<provider>/<kind>`. */
  readonly name: string
  /** The entity that it is about, for engines that partition or order by key. */
  readonly subject: string
  /** When it happened, as the service tells it, in milliseconds since the epoch. */
  readonly ts: number
  readonly data: Data
  readonly source: EventSource
  /**
   * The trace of the delivery that brought it, for consumers to carry on: `traceparent` and `tracestate` of the
   * distributed tracing extension of CloudEvents. It is no part of what the event is: a redelivery has another.
   */
  readonly trace?: TraceContext
}

/** Where an event comes from. */
export interface EventSource {
  readonly provider: string
  readonly deliveryId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Set when the delivery was a manual test (`{ type, payload }`), whose data is what the tester sent. */
  readonly manual?: true
}

/** A message for the people who run the system. */
export interface Message {
  readonly title: string
  readonly text: string
  readonly severity: 'info' | 'warning' | 'error'
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}
