import { withDeadline } from '@sallyport/internal/deadline'
import { describeIssues, withoutMessage } from '@sallyport/internal/describe-failure'
import type { DeliveryHeaders, VerifiedDelivery } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Observation, Outcome } from './gateway-contract.ts'
import { getKind, normalize, parse, readIgnoredKind, selectEvents } from './normalize.ts'
import { providerTimeoutMs } from './provider-deadline.ts'
import type { Recorder } from './recorder.ts'

/** A delivery whose signature is valid. */
export interface VerifiedRequest {
  readonly id: string
  readonly provider: AnyProvider
  readonly endpoint: Pick<GatewayEndpoint, 'id' | 'options'> | undefined
  readonly headers: DeliveryHeaders
  readonly query?: URLSearchParams | undefined
  /** The signed form of the body. */
  readonly body: Uint8Array
  readonly receivedAt: number
  /** The trace context of the events. */
  readonly trace?: TraceContext | undefined
}

/** The facts of a request for its observation. They stay when a later step throws. */
export type AcceptDraft = Mutable<Pick<Observation, 'reason' | 'error' | 'kind' | 'narrowed'>>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export interface Accepted {
  readonly outcome: Outcome
  /** The events of an accepted delivery or a duplicate. */
  readonly events: readonly {
    readonly id: string
    readonly name: string
    readonly duplicate: boolean | undefined
  }[]
}

/**
 * Parses, normalizes and records a verified delivery. The recorder quarantines a body that the provider cannot read.
 *
 * @param track receives the work of the provider's own code that uses the body
 * @throws SallyportError `INBOX_UNAVAILABLE` (503)
 */
export async function accept(
  { id, provider, endpoint, headers, query, body, receivedAt, trace }: VerifiedRequest,
  record: Recorder,
  draft: AcceptDraft,
  track?: (work: Promise<unknown>) => void,
): Promise<Accepted> {
  let events: readonly InternalEvent[] = []
  let detail: string | undefined
  let verified: VerifiedDelivery = { payload: undefined, headers, body, receivedAt, endpoint: endpoint?.id }
  try {
    verified = { ...verified, payload: parse(provider, body) }
    const normalizing = normalize(provider, verified, id)
    track?.(normalizing)
    const found = await withDeadline(providerTimeoutMs, normalizing)
    events = selectEvents(endpoint?.options ?? {}, selectEvents(provider, found))
    if (events.length < found.length)
      draft.narrowed = found.filter((event) => !events.includes(event)).map(getKind)
    if (events.length === 0) {
      const kind = found[0] ? getKind(found[0]) : readIgnoredKind(provider, verified)
      if (kind !== undefined) draft.kind = kind
      // An ignored delivery is not recorded.
      return { outcome: 'ignored', events: [] }
    }
  } catch (error) {
    // The recorder quarantines the verified delivery, or answers 503 so that the service sends it again.
    draft.reason = 'NORMALIZER_FAILED'
    draft.error = withoutMessage(error)
    detail = describeIssues(error)
  }

  // The recorder passes new events to the dispatcher.
  const recorded = await record({
    ...verified,
    id,
    provider,
    query,
    events: trace ? events.map((event) => ({ ...event, trace })) : events,
    unreadable: draft.reason,
    detail,
  })
  if (recorded.quarantined) {
    Object.assign(draft, recorded.quarantined)
    return { outcome: 'quarantined', events: [] }
  }
  const results = events.map(({ id, name }, index) => ({
    id,
    name,
    duplicate: recorded.events[index]?.duplicate,
  }))
  const isDuplicate = results.every(({ duplicate }) => duplicate)
  return { outcome: isDuplicate ? 'duplicate' : 'accepted', events: results }
}
