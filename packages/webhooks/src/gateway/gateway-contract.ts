import type { BodySink } from './body-budget.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { TraceContext } from '../ports/trace-context.ts'

/** A request for the gateway, as a host hands it over. */
export interface GatewayRequest {
  readonly method: string
  /** The path segment that names the provider. */
  readonly provider: string
  readonly headers: DeliveryHeaders
  readonly query?: URLSearchParams | undefined
  /** The client's address; without one, nothing is limited by address. */
  readonly address?: string | undefined
  /** The public address that the sender used. */
  readonly url?: string | undefined
  /** What logs know the request by; it comes back in the observation. */
  readonly requestId?: string | undefined
  /** Hands every chunk of the body to the sink, and rejects when the sink throws, the time is up or the sender goes. */
  readBody(sink: BodySink): Promise<void>
}

export interface GatewayResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Gateway {
  /** The names of the registered providers. */
  readonly providers: readonly string[]
  /** Answers a request; never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
}

/** What became of a verified delivery. */
export type Outcome = 'accepted' | 'duplicate' | 'ignored' | 'quarantined'

/** One answered request, for logs and metrics; it holds nothing of the body. */
export interface Observation {
  readonly provider: string
  readonly outcome: Outcome | 'handshake' | 'refused'
  /** The status that it was answered with. */
  readonly status: number
  /** The code of the error that it was refused with. */
  readonly code?: string
  /** Why the signature was refused or the delivery quarantined; never told to the sender. */
  readonly reason?: string
  /**
   * What went wrong inside, for a log that is as private as the server: what a driver throws is here as it is. What a
   * provider's own code throws comes without its message, which may quote the body.
   */
  readonly error?: unknown
  /** The id of a delivery that was verified; an ignored delivery is not recorded and has none. */
  readonly deliveryId?: string
  /** The service's own name of what an ignored delivery is about, as `readKind` of the provider gives it. */
  readonly kind?: string
  /** The host's own id of the request. */
  readonly requestId?: string | undefined
  readonly address?: string | undefined
  readonly durationMs: number
}

/** Follows the requests of a gateway, such as that of `@sallyport/webhooks/telemetry` does. */
export interface DeliveryTracer {
  /** Called before anything of a request is trusted; undefined, or thrown, it leaves the request untraced. */
  readonly start: (request: GatewayRequest) => DeliverySpan | undefined
}

/** One request, as long as it is being answered. */
export interface DeliverySpan {
  /** What the events of the delivery carry on. */
  readonly trace?: TraceContext
  /** Calls the work once, within the span, and returns what it returns. */
  readonly run: <T>(work: () => T) => T
  /** Called once, when the request is answered. */
  readonly end: (observation: Observation) => void
}
