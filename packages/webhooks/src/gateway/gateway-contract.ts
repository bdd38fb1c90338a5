import type { BodySink } from './body-budget.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { KeptRequest, Reprocessed } from './reprocess.ts'

/** A request that a host passes to the gateway. */
export interface GatewayRequest {
  readonly method: string
  /** The path segment that names the provider. */
  readonly provider: string
  /** The path segment after the provider, which names the endpoint. */
  readonly endpoint?: string | undefined
  readonly headers: DeliveryHeaders
  readonly query?: URLSearchParams | undefined
  /** The client's address. Without an address, no limit per address applies. */
  readonly address?: string | undefined
  /** The public URL that the sender used. */
  readonly url?: string | undefined
  /** Other URLs that the sender may have used, from a host that gets the query decoded. @default none */
  readonly alternativeUrls?: readonly string[] | undefined
  /**
   * When the request arrived, in milliseconds since the epoch, for a host that takes requests from a queue. Signed times are
   * compared with it, so it must not come from the sender.
   *
   * @default the time of the gateway
   */
  readonly receivedAt?: number | undefined
  /** The request id of the host. The observation contains it. */
  readonly requestId?: string | undefined
  /** Called with the observation of this request, in addition to `observe` of the gateway. @default none */
  readonly observe?: ((observation: Observation) => unknown) | undefined
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
  /** Whether the gateway has endpoints. A host passes paths with an endpoint to such a gateway only. @default false */
  readonly hasEndpoints?: boolean
  /** Answers a request; never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
}

/** A gateway that processes kept deliveries again. */
export interface RecordingGateway extends Gateway {
  /**
   * Processes a delivery that was ignored or refused: verifies a refused one with the current secrets and the time of its
   * receipt, and records the delivery with the same keys as a new one. Rejects with a SallyportError of status 503 while a
   * secret or the inbox is unavailable.
   */
  reprocess(request: KeptRequest): Promise<Reprocessed>
}

/** The result for a verified delivery. */
export type Outcome = 'accepted' | 'duplicate' | 'ignored' | 'quarantined'

/** One answered request, for logs and metrics. An observation holds no part of the body. */
export interface Observation {
  readonly provider: string
  /** The id of a known endpoint that the request named. */
  readonly endpoint?: string
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
  /** The kinds of the events that `only` of the provider or of the endpoint removed, one for each event. */
  readonly narrowed?: readonly string[]
  /** The request id of the host. */
  readonly requestId?: string | undefined
  readonly address?: string | undefined
  readonly durationMs: number
}

/** A request that the gateway does not record: ignored, or refused because its signature is not valid. */
export interface UnprocessedRequest {
  /** The id that the delivery gets when it is processed again. */
  readonly id: string
  readonly provider: AnyProvider
  /** The id of a known endpoint that the request named. */
  readonly endpoint: string | undefined
  readonly outcome: 'ignored' | 'refused'
  /** The service's name for the kind of an ignored delivery. */
  readonly kind?: string | undefined
  /** Why the signature was rejected. */
  readonly reason?: string | undefined
  /** The HTTP status of the response. */
  readonly status: number
  readonly method: string
  /** All headers, with credentials and signatures. */
  readonly headers: DeliveryHeaders
  /**
   * The signed form of an ignored body; the received bytes of a refused one, which anybody can send. The query of a delivery by
   * GET.
   */
  readonly body: Uint8Array
  /** The length of the received body, if `body` is only a part of it. @default the length of `body` */
  readonly bodyBytes?: number
  readonly url: string | undefined
  readonly alternativeUrls?: readonly string[] | undefined
  readonly address: string | undefined
  /** The request id of the host. */
  readonly requestId?: string | undefined
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
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
