import type { Delivery } from './delivery.ts'
import type { InternalEvent, Message } from './event.ts'

/** A value, or a promise of it where an implementation has to wait. */
export type MaybePromise<T> = T | Promise<T>

// Signatures

/** How a service proves that a delivery is its own; both directions, so that tools sign what the gateway verifies. */
export interface SignatureScheme {
  /** Lower-case names of the headers that carry the proof, and what is signed beside the body. */
  readonly headers: readonly string[]
  /**
   * Those of them that carry no proof, such as a signed id or time: they stay readable where a delivery is stored, and all
   * others are redacted there.
   *
   * @default none
   */
  readonly signedHeaders?: readonly string[] | undefined
  /**
   * Those of the signed headers that a retry repeats and no other delivery has, never a time: deliveries in quarantine
   * whose bodies are equal are told apart by them. A scheme that signs a time names its ids, `[]` where there are none: by
   * its time, each retry would be another delivery.
   *
   * @default all of them
   */
  readonly signedIds?: readonly string[] | undefined
  /**
   * Compares the proof against every secret; `now` is in milliseconds since the epoch.
   *
   * What it throws is a 401 and a failure of the address, told to the observer without its message. What keeps the server
   * itself from verifying, such as a key server that is away, is
   * `throw new SallyportError('PROVIDER_UNAVAILABLE', 'The keys cannot be had now: try again')` of `@sallyport/errors`: 503,
   * no failure, and the service tries again. So is a promise that takes longer than 10 seconds; until it has settled, the body
   * counts among the bytes in flight.
   */
  verify(delivery: Delivery, secrets: readonly string[], now: number): MaybePromise<Verification>
  /**
   * Checks that the scheme can verify with a secret, so that a server can report an unusable secret at startup.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` when the secret is unusable; the message holds no part of the secret
   */
  checkSecret?(secret: string): MaybePromise<void>
  /** The headers that make a delivery with this body verify under the secret. */
  sign(delivery: Delivery, secret: string, now: number): MaybePromise<Readonly<Record<string, string>>>
}

/** What a scheme says of a delivery. */
export type Verification =
  | {
      readonly verified: true
      /** The form of the body that the proof covers: what is parsed and stored from here on. */
      readonly body: Uint8Array
    }
  | {
      readonly verified: false
      /** For logs and metrics; the sender is told only that it failed. */
      readonly reason: 'missing' | 'malformed' | 'mismatch' | 'expired'
    }

/** Where the secrets of providers come from. */
export interface SecretSource {
  /** The current values for a provider, newest first; rejects when they cannot be had. */
  lease(name: string): MaybePromise<SecretLease>
}

/** Secrets for as long as they may be used. */
export interface SecretLease {
  readonly values: readonly string[]
  /**
   * Milliseconds since the epoch after which they have to be leased again; never, when absent. A lease that has ended
   * when it is answered is one that could not be had.
   */
  readonly expiresAt?: number
}

/**
 * Counts failed verifications of an address; each member is one atomic step, so that replicas can share a count. While
 * it rejects or does not answer, nobody is blocked.
 */
export interface FailureLimiter {
  /** Milliseconds until the address may try again, 0 when it may now. */
  check(address: string): MaybePromise<number>
  /**
   * Counts one failure; answers 0 while it is among those that are allowed, and what `check` answers for one that
   * slipped through beside others.
   */
  fail(address: string): MaybePromise<number>
}

// Where events go

/** A bus that events are published on. */
export interface Publisher {
  /**
   * Publishes a batch and answers for each event in its order. A batch that is rejected has failed, and is tried again with
   * back-off, not before the `retryAfterMs` of the error where it has one; without one, it is halved at once where any of its
   * events had failed before (of a queue: had been received before). An event may come again with the same id: an engine that
   * can deduplicate does so by it.
   */
  publish(events: readonly InternalEvent[], signal: AbortSignal): Promise<readonly PublishResult[]>
}

export type PublishResult =
  | {
      readonly ok: true
      /** The engine knew the id already. */
      readonly duplicate?: boolean
    }
  | {
      readonly ok: false
      /** Whether the same event may succeed later. */
      readonly retryable: boolean
      /** Why, without secrets or data. */
      readonly error: string
      /** Milliseconds that it asks to be left alone for; heeded as far as the back-off's longest wait, and until it gives up. */
      readonly retryAfterMs?: number
    }

/** Tells an operator gateway about an event that was published. */
export interface Notifier {
  /**
   * Delivers one message, at least once. A rejection is retried with back-off, and not before its `retryAfterMs` where it
   * has one; it is final where its `retryable` is false. Its name and code are stored, its message is not.
   */
  notify(message: Message, event: InternalEvent, signal: AbortSignal): Promise<void>
}

export type * from './queue-port.ts'
export type * from './inbox.ts'
export type * from './inbox-work.ts'
export type * from './inbox-operations.ts'
