import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'

/** A kept delivery in a list. */
export interface UnprocessedDelivery extends Pick<
  UnprocessedRequest,
  'id' | 'outcome' | 'status' | 'receivedAt'
> {
  /** The name of the provider. */
  readonly provider: string
  readonly endpoint?: string
  /** The service's name for the kind of an ignored delivery. */
  readonly kind?: string
  /** Why the signature was rejected: `missing`, `malformed`, `mismatch` or `expired`; `blocked` for a blocked address. */
  readonly reason?: string
  /** The length of the body, without the credentials of a refused one. */
  readonly bodyBytes: number
}

/** A kept delivery with its content. */
export interface UnprocessedRecord extends UnprocessedDelivery {
  /** By lower-case name, without signatures and credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** The body without credentials, or its first bytes when it is longer than the limit. */
  readonly body: Uint8Array
  /** The client network of a refused delivery, for the fair share of the bytes. Never shown. */
  readonly client?: string
  /** The encrypted signatures and credentials of a refused delivery. Never shown. */
  readonly proof?: string
  /** The values that find the delivery. A store does not return them. */
  readonly values?: readonly string[] | undefined
  /** The bytes that the record takes in the store, for its limit. */
  readonly storedBytes: number
}

/** Selects kept deliveries that match all given conditions. */
export interface UnprocessedFilter extends Partial<
  Pick<UnprocessedDelivery, 'outcome' | 'provider' | 'endpoint' | 'kind' | 'reason'>
> {
  /** The ids of endpoints: only what one of them received, and nothing without an endpoint. */
  readonly endpoints?: readonly string[]
  /** One of the values of the delivery, exactly. */
  readonly value?: string
  /** In milliseconds since the epoch, exclusive. */
  readonly receivedAfter?: number
  /** In milliseconds since the epoch, exclusive. */
  readonly receivedBefore?: number
}

/** A position in a list, which is ordered by time of receipt, then by id. */
export type UnprocessedPosition = Pick<UnprocessedDelivery, 'receivedAt' | 'id'>

interface UnprocessedQuery extends UnprocessedFilter {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** Only deliveries after this position; the delivery at the position may have been deleted. */
  readonly after?: UnprocessedPosition
  /** The number of matching deliveries to skip. @default 0 */
  readonly offset?: number
  readonly limit: number
}

/**
 * Limits of a store, which apply to the ignored and to the refused deliveries separately. Beyond a limit, the provider or endpoint
 * with the most bytes or deliveries loses first, and there the client with the most loses its oldest ones, so that a flood of one
 * evicts none of another.
 */
interface UnprocessedLimits {
  /** Deletes deliveries that were received before this time, in milliseconds since the epoch. */
  readonly before: number
  /** The maximum number of deliveries. */
  readonly deliveries: number
  /** The maximum sum of `storedBytes`. */
  readonly bytes: number
}

/** Stores ignored and refused deliveries for a short time. */
export interface UnprocessedStore {
  /** Stores deliveries with new ids. */
  add(records: readonly UnprocessedRecord[]): Promise<void>
  get(id: string): Promise<UnprocessedRecord | undefined>
  list(query: UnprocessedQuery): Promise<readonly UnprocessedDelivery[]>
  count(filter: UnprocessedFilter): Promise<number>
  /** Deletes a delivery. Resolves to false for an unknown id. */
  delete(id: string): Promise<boolean>
  /** Deletes up to `limit` deliveries that match, and returns their number. */
  erase(filter: UnprocessedFilter, options: { readonly limit: number }): Promise<number>
  /** Deletes the deliveries beyond the limits, and returns their number. */
  prune(limits: UnprocessedLimits): Promise<number>
}
