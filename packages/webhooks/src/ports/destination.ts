import type { WebhookEvent } from './event.ts'
/** A message for a destination: one event, or in original mode a delivery with its events. */
export interface DestinationMessage {
  readonly deliveryId: string
  readonly events: readonly WebhookEvent[]
  /** 1 for the first attempt. */
  readonly attempt: number
  /** The request as received, in original mode. */
  readonly request?: {
    readonly headers: Readonly<Record<string, string>>
    readonly query?: string | undefined
    readonly body: Uint8Array
  }
}
export interface DestinationResult {
  readonly outcome: 'done' | 'retry' | 'dead' | 'gone'
  /** The reason of a failure, without secrets or data. */
  readonly error?: string
  readonly retryAfterMs?: number
  /** Whether the destination as a whole seems to be unavailable (network failure, timeout, 429, 5xx), for the circuit breaker. */
  readonly unavailable?: boolean
  readonly status?: number
  readonly durationMs: number
  /** The first 4 KB of the response. */
  readonly response?: string
}
export interface Destination {
  readonly name: string
  readonly mode: 'original' | 'event'
  /** Whether the destination receives an event. @default all */
  readonly accepts?: (event: WebhookEvent) => boolean
  /**
   * Paths of values that the destination does not receive, as those of `redact` of `createWebhooks`. Its messages are copies
   * without them.
   *
   * @default none
   */
  readonly redact?: readonly string[]
  /** Events of one lane are sent in order. @default 'none' */
  readonly order?: 'subject' | 'endpoint' | 'none'
  /** @default 10 */
  readonly concurrency?: number
  /** Requests a second of all processes. @default no limit */
  readonly ratePerSecond?: number
  readonly timeoutMs?: number
  /** Delays between attempts in milliseconds; the last attempt follows the last delay. */
  readonly retryDelaysMs?: readonly number[]
  readonly maxAgeMs?: number
  /** Loads what requests need. A rejection is reported at the start. */
  prepare?(): Promise<unknown>
  send(message: DestinationMessage, signal: AbortSignal): Promise<DestinationResult>
}
/** Destinations that change while the process runs. */
export interface DestinationSource {
  /** Returns the destinations as they are now. A destination that did not change stays the same object. */
  list(): readonly Destination[]
  /** Calls the listener after each change. */
  onChange(listener: () => void): void
}
