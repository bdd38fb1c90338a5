/**
 * Headers of a request: looked up by name in any case, several values of one name joined by `", "`.
 *
 * The fetch standard's `Headers` is one.
 */
export interface DeliveryHeaders extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null
}

/** A request before its verification. */
export interface Delivery {
  readonly method: string
  readonly headers: DeliveryHeaders
  /** The bytes of the body exactly as they came in. */
  readonly body: Uint8Array
  /** The public address that the sender used, for schemes that sign it. */
  readonly url?: string
  /** Other addresses that the sender may have used. The gateway verifies with each one after a mismatch. @default none */
  readonly alternativeUrls?: readonly string[]
  /** The maximum difference of a signed time to the clock, in seconds. @default the tolerance of the scheme */
  readonly toleranceSeconds?: number
}

/** A delivery with a valid signature. */
export interface VerifiedDelivery {
  /** The parsed body. */
  readonly payload: unknown
  /**
   * The headers of the request. Few services sign headers. An attacker who replays a captured delivery can change the
   * unsigned ones, so do not derive a kind or an idempotency key from headers alone.
   */
  readonly headers: DeliveryHeaders
  /** The signed form of the body. */
  readonly body: Uint8Array
  /** When the gateway received it, in milliseconds since the epoch. */
  readonly receivedAt: number
  /** The id of the endpoint that received the delivery. */
  readonly endpoint?: string | undefined
}
