import type { BodySink } from './body-budget.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { TraceContext } from '../ports/trace-context.ts'

/** A request that a host passes to the gateway. */
export interface GatewayRequest {
  readonly method: string
  /** The path segment that names the provider. */
  readonly provider: string
  readonly headers: DeliveryHeaders
  readonly query?: URLSearchParams | undefined
  /** The client's address. Without an address, no limit per address applies. */
  readonly address?: string | undefined
  /** The public URL that the sender used. */
  readonly url?: string | undefined
  /** The request id of the host. The observation contains it. */
  readonly requestId?: string | undefined
  /** Passes each chunk of the body to the sink. Rejects when the sink throws, at the timeout, and when the sender aborts. */
  readBody(sink: BodySink): Promise<void>
}

export interface GatewayResponse {
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Gateway {
  /** The names of the registered providers. */
  readonly providers: readonly string[]
  /** Answers a request; never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
}

/** The result for a verified delivery. */
export type Outcome = 'accepted' | 'duplicate' | 'ignored' | 'quarantined'

/** One answered request, for logs and metrics. An observation holds no part of the body. */
export interface Observation {
  readonly provider: string
  readonly outcome: Outcome | 'handshake' | 'refused'
  /** The HTTP status of the response. */
  readonly status: number
  /** The error code of the response. */
  readonly code?: string
  /** Why the signature was rejected or the delivery quarantined. The response does not contain the reason. */
  readonly reason?: string
  /**
   * The internal error, for a private log. Errors of drivers are unchanged. Errors of a provider's own code have no
   * message, since the message may quote the body.
   */
  readonly error?: unknown
  /** The id of a verified delivery. An ignored delivery is not recorded and has no id. */
  readonly deliveryId?: string
  /** The service's name for the kind of an ignored delivery, from `readKind` of the provider. */
  readonly kind?: string
  /** The request id of the host. */
  readonly requestId?: string | undefined
  readonly address?: string | undefined
  readonly durationMs: number
}

/** Traces the requests of a gateway. `@sallyport/webhooks/telemetry` has an implementation. */
export interface DeliveryTracer {
  /** Called for each unverified request. When it returns undefined or throws, the request has no span. */
  readonly start: (request: GatewayRequest) => DeliverySpan | undefined
}

/** The span of one request. */
export interface DeliverySpan {
  /** The trace context for the events of the delivery. */
  readonly trace?: TraceContext
  /** Calls the work once inside the span, and returns its result. */
  readonly run: <T>(work: () => T) => T
  /** Called once after the response. */
  readonly end: (observation: Observation) => void
}
