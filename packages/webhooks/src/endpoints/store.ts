import type { EndpointOptions, MaybePromise } from '../ports/ports.ts'

export type EndpointStatus = 'active' | 'disabled'

/** A stored endpoint. */
export interface EndpointRecord {
  /** The last segment of the address; see `isEndpointId`. */
  readonly id: string
  readonly provider: string
  /** A name for people. */
  readonly name: string
  readonly status: EndpointStatus
  /** Newest first. */
  readonly secrets: readonly SecretRecord[]
  readonly labels: Readonly<Record<string, string>>
  readonly options: EndpointOptions
  /**
   * Until when the endpoint accepts a handshake that establishes its secret, in milliseconds since the epoch. Undefined while
   * the endpoint does not wait for a handshake.
   */
  readonly handshakeUntil?: number | undefined
  /** Counts the changes, from 1. */
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}

export interface SecretRecord {
  readonly id: string
  /** The encrypted secret. */
  readonly value: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Whether an operator can read the secret, which a handshake established. Undefined after it was read. */
  readonly isReadable?: true | undefined
}

/** Selects endpoints that match all given conditions. */
export interface EndpointFilter {
  readonly provider?: string | undefined
  readonly status?: EndpointStatus | undefined
  /** The ids of endpoints. */
  readonly ids?: readonly string[] | undefined
  /** Labels that the endpoint has with these values. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** A part of the name, in any case. */
  readonly search?: string | undefined
  /** In milliseconds since the epoch, exclusive. */
  readonly createdAfter?: number | undefined
}

/** A position in a list of endpoints, which is ordered by time of creation, then by id. */
type EndpointPosition = Pick<EndpointRecord, 'createdAt' | 'id'>

export interface EndpointQuery extends EndpointFilter {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** Only endpoints after this position; the endpoint at the position may have been deleted. */
  readonly after?: EndpointPosition | undefined
  /** The number of matching endpoints to skip. @default 0 */
  readonly offset?: number
  readonly limit: number
}

/** The endpoints that changed after a position. */
interface EndpointChanges {
  /** The position after these changes. */
  readonly position: number
  /** Undefined when more endpoints changed than the limit: all endpoints may have changed. */
  readonly ids: readonly string[] | undefined
}

/**
 * Saves something in the transaction of a change, such as the response for an `Idempotency-Key`. A rejection undoes the
 * change.
 *
 * @param transaction the transaction of the store; undefined for a store without transactions
 */
type SaveInTransaction = (transaction: unknown) => Promise<void>

/**
 * The durable store of endpoints. A change is visible to other processes through `changes`, in the order of the commits.
 *
 * The id of a deleted endpoint stays in use until `prune`: the keys of its events are still stored, and a new customer with
 * the id would receive duplicates.
 */
export interface EndpointStore {
  /** Stores a new endpoint. Resolves to false when the id is in use. */
  insert(endpoint: EndpointRecord, save?: SaveInTransaction): Promise<boolean>
  /** Returns the endpoints with these ids, in any order, without unknown and deleted ones. */
  get(ids: readonly string[]): Promise<readonly EndpointRecord[]>
  /** Replaces an endpoint whose stored version is `version`; resolves to false otherwise. */
  replace(endpoint: EndpointRecord, version: number, save?: SaveInTransaction): Promise<boolean>
  /** Deletes an endpoint with its secrets if its stored version is `version`; resolves to false otherwise. */
  delete(id: string, version: number, at: number): Promise<boolean>
  list(query: EndpointQuery): Promise<readonly EndpointRecord[]>
  count(filter: EndpointFilter): Promise<number>
  /**
   * Returns the endpoints that were created, changed or deleted after a position, at most `limit`. Without `after`, returns
   * the current position.
   */
  changes(query: { readonly after?: number | undefined; readonly limit: number }): Promise<EndpointChanges>
  /** Releases the ids of endpoints that were deleted before a time, and returns their number. */
  prune(before: number): Promise<number>
}

/** Encrypts secrets for an {@link EndpointStore}. */
export interface SecretCipher {
  /** @param context bound to the ciphertext: the id of the endpoint */
  encrypt(secret: string, context: string): MaybePromise<string>
  /** @throws Error when no key decrypts the text in this context; the message holds no part of the text */
  decrypt(encrypted: string, context: string): MaybePromise<string>
  /** Whether the text is encrypted with the newest key. */
  isCurrent(encrypted: string): boolean
}
