import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { DeliveryRecord, RecordResult } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** A verified delivery, and what was made of it. */
interface ReadDelivery extends Pick<DeliveryRecord, 'id' | 'receivedAt' | 'body'> {
  readonly provider: AnyProvider
  /** As they came, with whatever secrets are in them. */
  readonly headers: DeliveryHeaders
  readonly events: readonly InternalEvent[]
  /** Why nothing could be made of it. */
  readonly unreadable?: string | undefined
  /** The paths and codes of the issues that the schema found. */
  readonly detail?: string | undefined
}

export interface Recorded extends RecordResult {
  /** Set when the delivery is kept in quarantine: why, and what went wrong. */
  readonly quarantined?: { readonly reason: string; readonly error?: Error }
}

/**
 * Where a verified delivery goes before it is answered.
 *
 * @throws SallyportError `INBOX_UNAVAILABLE` (503)
 */
export type Recorder = (read: ReadDelivery) => Promise<Recorded>
