import type { SchemeDescription } from '../schemes/description.ts'
import type { Delivery, DeliveryHeaders } from './delivery.ts'
import type { WebhookEvent, Message } from './event.ts'

/** A value, or a promise of it where an implementation has to wait. */
export type MaybePromise<T> = T | Promise<T>

// Signatures

/**
 * How much of a delivery a proof covers:
 *
 * - `signed`: the body.
 * - `partial`: a part of the delivery without the whole body, such as a token and a time.
 * - `origin`: the sender, by a token or a credential.
 * - `none`: nothing.
 */
export type Trust = 'signed' | 'partial' | 'origin' | 'none'

/** Verifies the signature of a delivery, and signs deliveries for tools and tests. */
export interface SignatureScheme {
  /** The lower-case names of the headers with the signature, or with other signed values. */
  readonly headers: readonly string[]
  /** The query parameters with the signature or the secret: they are redacted in a stored delivery. @default none */
  readonly parameters?: readonly string[] | undefined
  /**
   * The headers without a signature, such as a signed id or time. They stay readable in a stored delivery; the other headers
   * are redacted.
   *
   * @default none
   */
  readonly signedHeaders?: readonly string[] | undefined
  /**
   * The signed headers that are equal in each retry of a delivery and differ between deliveries. They distinguish deliveries
   * in quarantine with equal bodies. A scheme that signs a time lists its ids, or `[]`: a time differs in each retry.
   *
   * @default all of them
   */
  readonly signedIds?: readonly string[] | undefined
  /**
   * The parts of a delivery that the signature protects: the whole body, or a list of parts such as `['id', 'time']`. The
   * list is empty for credentials, which authenticate only the sender.
   *
   * @default 'body'
   */
  readonly covers?: 'body' | readonly string[] | undefined
  /** Whether the scheme compares a signed time with the clock, so that `toleranceSeconds` of a delivery applies. @default false */
  readonly hasTolerance?: boolean | undefined
  /** The function that created the scheme, with its options. Catalogues read it; the gateway does not. @default unknown */
  readonly description?: SchemeDescription | undefined
  /**
   * Verifies the delivery with each secret; `now` is in milliseconds since the epoch.
   *
   * An error is a 401 response and a failure of the address; the observer receives the error without its message. An error of
   * the server, such as an unavailable key server, is
   * `throw new SallyportError('PROVIDER_UNAVAILABLE', 'The keys are unavailable: try again')` from `@sallyport/errors`: a 503
   * response without a failure, after which the service retries. A promise that takes longer than 10 seconds is a 503 response
   * too; its body counts as in flight until the promise settles.
   */
  verify(delivery: Delivery, secrets: readonly string[], now: number): MaybePromise<Verification>
  /**
   * Checks that the scheme can verify with a secret, so that a server can report an unusable secret at startup.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` when the secret is unusable; the message holds no part of the secret
   */
  checkSecret?(secret: string): MaybePromise<void>
  /** Creates a random secret in the form of the service. Absent for a scheme whose secrets only the service creates. */
  createSecret?(): string
  /** Creates the headers of a delivery with this body, signed with the secret. */
  sign(delivery: Delivery, secret: string, now: number): MaybePromise<Readonly<Record<string, string>>>
  /** Creates the signed body of a delivery, for a service that writes the signature into the body. */
  signBody?(delivery: Delivery, secret: string, now: number): MaybePromise<Uint8Array>
  /** Creates the signed address of a delivery, for a service that writes the signature into the query. */
  signUrl?(delivery: Delivery, secret: string, now: number): MaybePromise<string>
  /**
   * Replaces the credentials in the body of a refused delivery, for storage; for a service that sends its secret in the body.
   * Returns the same array for a body without credentials, and an empty one for a body that cannot be read.
   */
  readonly redactBody?: ((body: Uint8Array) => Uint8Array) | undefined
}

/** The result of a verification. */
export type Verification =
  | {
      readonly verified: true
      /** The signed form of the body, which the gateway parses and stores. */
      readonly body: Uint8Array
      /**
       * The headers that the gateway stores and the provider reads, for a scheme that accepts several names of one signed
       * header: a copy with renamed headers must not have another id. @default the received headers
       */
      readonly headers?: DeliveryHeaders
    }
  | {
      readonly verified: false
      /** For logs and metrics; the response to the sender omits it. */
      readonly reason: 'missing' | 'malformed' | 'mismatch' | 'expired'
    }

/** Supplies the secrets of providers. */
export interface SecretSource {
  /** Returns the current values for a provider, newest first; rejects when they are unavailable. */
  lease(name: string): MaybePromise<SecretLease>
}

/** Secrets with their expiry. */
export interface SecretLease {
  readonly values: readonly string[]
  /**
   * When the values expire, in milliseconds since the epoch; absent for values that do not expire. Values that have expired
   * on arrival count as unavailable.
   */
  readonly expiresAt?: number
}

/**
 * Counts failed verifications of a client: an address, or a text of its network and of a provider or endpoint. Each method is
 * one atomic step, so that replicas can share a count. While a method rejects or times out, the gateway blocks no client.
 */
export interface FailureLimiter {
  /** Returns the milliseconds until the client may retry, 0 for a client that is not blocked. */
  check(client: string): MaybePromise<number>
  /**
   * Counts one failure. Returns 0 up to the limit; beyond the limit, which concurrent failures can exceed, returns the result
   * of `check`.
   */
  fail(client: string): MaybePromise<number>
}

// Destinations

/** A bus that events are published on. */
export interface Publisher {
  /**
   * Publishes a batch and returns a result for each event, in the same order. The dispatcher retries a rejected batch with
   * back-off, and after the `retryAfterMs` of the error if it has one. A rejected batch without `retryAfterMs` is bisected at
   * once if one of its events failed before (or was received from a queue before). An event may be published again with the
   * same id, by which an engine can deduplicate.
   */
  publish(events: readonly WebhookEvent[], signal: AbortSignal): Promise<readonly PublishResult[]>
}

/** The result of one destination of a publisher with several. */
export interface TargetResult {
  readonly name: string
  /** Whether the destination took the event; otherwise it may take the event later. */
  readonly ok: boolean
}

export type PublishResult =
  | {
      readonly ok: true
      /** The engine stored the id before. */
      readonly duplicate?: boolean
      /** As those of a failure. */
      readonly targets?: readonly TargetResult[]
    }
  | {
      readonly ok: false
      /** Whether the same event may succeed later. */
      readonly retryable: boolean
      /** The reason, without secrets or data. */
      readonly error: string
      /** The event exceeds a size limit of the engine, and the engine may accept it without its data. */
      readonly tooLarge?: boolean
      /** The shortest delay before a retry, in milliseconds; limited by the longest delay of the back-off. */
      readonly retryAfterMs?: number
      /**
       * The destinations that received the event in this attempt, apart from final failures. The dispatcher detects the outage
       * and the recovery of each by its name, beside the successes of the others.
       *
       * @default the publisher is the only destination
       */
      readonly targets?: readonly TargetResult[]
    }

/** Notifies operators of a published event. */
export interface Notifier {
  /**
   * Delivers one message, at least once. The dispatcher retries a rejection with back-off, and after the `retryAfterMs` of
   * the error if it has one. An error with `retryable: false` is final. The inbox stores the name and the code of the error,
   * without its message.
   */
  notify(message: Message, event: WebhookEvent, signal: AbortSignal): Promise<void>
}

export type * from './endpoints.ts'
export type * from './inbox.ts'
export type * from './inbox-work.ts'
export type * from './inbox-changes.ts'
export type * from './inbox-counts.ts'
export type * from './inbox-deliveries.ts'
export type * from './inbox-lanes.ts'
