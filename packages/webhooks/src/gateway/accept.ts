import { withDeadline } from '@sallyport/internal/deadline'
import { describeIssues, withoutMessage } from '@sallyport/internal/describe-failure'
import type { DeliveryHeaders, VerifiedDelivery } from '../ports/delivery.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Outcome, UnprocessedRequest } from './gateway-contract.ts'
import { getKind, normalize, parse, readIgnoredKind, selectEvents } from './normalize.ts'
import { providerTimeoutMs, type TrackWork } from './provider-deadline.ts'

/** A request whose signature is valid. The headers and the query include secrets. */
export interface Verified {
  /** The id of the delivery. */
  readonly id: string
  readonly provider: AnyProvider
  readonly endpoint: Pick<GatewayEndpoint, 'id' | 'options'> | undefined
  /** The request id of the host. */
  readonly requestId?: string | undefined
  readonly headers: DeliveryHeaders
  readonly query: URLSearchParams | undefined
  /** The signed form of the body. */
  readonly body: Uint8Array
  readonly receivedAt: number
  /** The source of reconciliation that read the delivery. */
  readonly recoveredBy?: string | undefined
  /** The delivery before its redaction, for its identity. No part of it is stored. @default the delivery is complete */
  readonly original?: Pick<Verified, 'headers' | 'body'>
}

/** Why a delivery is refused or quarantined, for the private log. */
export interface Fault {
  readonly reason: string
  readonly error?: Error | undefined
  /** The paths and codes of the schema issues. */
  readonly detail?: string | undefined
}

/** The events of a verified delivery. A delivery without events and without a fault is ignored. */
export interface Normalized {
  /** The parsed body. */
  readonly payload?: unknown
  readonly events: readonly WebhookEvent[]
  /** The service's name for the kind of an ignored delivery. */
  readonly kind?: string | undefined
  /** The kinds of the events that `only` of the provider or of the endpoint removed. */
  readonly narrowed?: readonly string[] | undefined
  /** Set when the provider cannot read the delivery. */
  readonly fault?: Fault
}

/** The result for a verified delivery. */
export interface Recorded {
  readonly outcome: Outcome
  /** The events of an accepted delivery or a duplicate. */
  readonly events: readonly {
    readonly id: string
    readonly name: string
    readonly duplicate: boolean | undefined
  }[]
  /** The reason for a quarantine. */
  readonly fault?: Fault
}

/**
 * Records or publishes a delivery with events or a fault, before the gateway answers.
 *
 * @throws SallyportError `INBOX_UNAVAILABLE` or `BODY_UNAVAILABLE` (503)
 */
export type Recorder = (verified: Verified, normalized: Normalized) => Promise<Recorded>

/**
 * Parses and normalizes a verified delivery. Never rejects: an error of the provider is a fault of the delivery.
 *
 * @param trace the trace context of the events
 */
export async function normalizeDelivery(
  { id, provider, endpoint, headers, body, receivedAt }: Verified,
  track: TrackWork = (work) => work,
  trace?: TraceContext,
): Promise<Normalized> {
  let payload: unknown
  try {
    payload = parse(provider, body)
    const delivery: VerifiedDelivery = { payload, headers, body, receivedAt, endpoint: endpoint?.id }
    const found = await withDeadline(providerTimeoutMs, track(normalize(provider, delivery, id)))
    const events = selectEvents(endpoint?.options ?? {}, selectEvents(provider, found))
    const narrowed =
      events.length < found.length ? found.filter((event) => !events.includes(event)).map(getKind) : undefined
    if (events.length === 0) {
      const kind = found[0] ? getKind(found[0]) : readIgnoredKind(provider, delivery)
      return { events, kind, narrowed }
    }
    return { payload, events: trace ? events.map((event) => ({ ...event, trace })) : events, narrowed }
  } catch (error) {
    const fault = { reason: 'NORMALIZER_FAILED', error: withoutMessage(error), detail: describeIssues(error) }
    return { payload, events: [], fault }
  }
}

/** Removes values from a delivery before it is stored. */
export interface Redactor {
  /** Redacts a verified delivery with its events. Never rejects. */
  readonly redact: (
    verified: Verified,
    normalized: Normalized,
  ) => Promise<{ readonly verified: Verified; readonly normalized: Normalized }>
  /** Redacts an unverified request before it is kept. */
  readonly redactUnverified: (request: UnprocessedRequest) => UnprocessedRequest
}

/** Returns what may be stored of a delivery. */
export function redactDelivery(redactor: Redactor | undefined, verified: Verified, normalized: Normalized) {
  return redactor?.redact(verified, normalized) ?? { verified, normalized }
}

/** Records a delivery, unless it is ignored. @throws the errors of the recorder */
export function recordDelivery(
  record: Recorder,
  verified: Verified,
  normalized: Normalized,
): Recorded | Promise<Recorded> {
  const { events, fault } = normalized
  return events.length > 0 || fault ? record(verified, normalized) : { outcome: 'ignored', events: [] }
}

/** Reports each event as new or duplicate. A delivery with only duplicates is a duplicate. */
export function reportEvents(events: readonly WebhookEvent[], duplicates: readonly boolean[]): Recorded {
  const results = events.map(({ id, name }, index) => ({ id, name, duplicate: duplicates[index] }))
  const isDuplicate = results.every(({ duplicate }) => duplicate)
  return { outcome: isDuplicate ? 'duplicate' : 'accepted', events: results }
}
