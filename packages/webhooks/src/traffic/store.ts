import type { Outcome } from '../gateway/gateway-contract.ts'

/** The outcomes that statistics count. A handshake is not a delivery. */
export type TrafficOutcome = Outcome | 'refused'

/** A number of requests of one minute. */
export interface TrafficCount {
  /** The start of the minute, in milliseconds since the epoch. */
  readonly minute: number
  /** The name of a registered provider, or `unknown`. */
  readonly provider: string
  readonly outcome: TrafficOutcome
  /** The kind of ignored deliveries, the code of refused and quarantined ones; empty for the others. */
  readonly reason: string
  readonly count: number
}

/** Selects whole minutes. */
interface TrafficQuery {
  /** The start of the first interval, in milliseconds since the epoch. */
  readonly from: number
  /** The end of the last interval, exclusive. */
  readonly to: number
  /** The length of an interval in milliseconds, a multiple of a minute. */
  readonly intervalMs: number
}

/** The counts of a period, by interval and by reason. */
export interface TrafficSums {
  /** Counts without reasons. `at` is the start of the interval; an interval without requests is absent. */
  readonly series: readonly (Pick<TrafficCount, 'provider' | 'outcome' | 'count'> & { readonly at: number })[]
  /** Counts of the whole period, most frequent first. A store may limit their number. */
  readonly reasons: readonly Omit<TrafficCount, 'minute'>[]
}

/** Stores counts of requests per minute. Several processes add to the same counts. */
export interface TrafficStore {
  /** Adds to the stored counts, all or none. Rejects when the store is unavailable. */
  add(counts: readonly TrafficCount[]): Promise<void>
  sum(query: TrafficQuery): Promise<TrafficSums>
  /** Deletes the minutes before a time in milliseconds since the epoch, and returns the number of deleted counts. */
  prune(before: number): Promise<number>
}

/** The length of a minute in milliseconds. */
export const minuteMs = 60_000
