/** The state of a destination that processes share. Times are in milliseconds since the epoch. */
export interface DestinationState {
  readonly name: string
  /** Set while the destination is paused. */
  readonly pausedAt?: number
  /** Why the destination paused itself. */
  readonly pauseReason?: string
  /** Set while the circuit breaker of a process is open. */
  readonly openedAt?: number
  /** When the process sends a probe. */
  readonly probeAt?: number
  /** The attempts of the last hour, and how many of them failed. */
  readonly attempts?: number
  readonly failed?: number
  /** The events of the last hour that the filter rejected. */
  readonly filtered?: number
  /** The newest success. */
  readonly success?: DestinationSuccess
}

interface DestinationSuccess {
  readonly at: number
  readonly status?: number
}

/** The counts of a process for a destination. */
export interface DestinationCounts {
  readonly name: string
  readonly attempts: number
  readonly failed: number
  readonly filtered: number
  readonly success?: DestinationSuccess
}

/** A stored destination whose declaration and secrets are encrypted. */
export interface SealedDestination {
  readonly name: string
  readonly sealed: string
  /** Counts the changes, from 1. */
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** @param transaction the transaction of the store; undefined for a store without transactions */
type SaveInTransaction = (transaction: unknown) => Promise<void>

/** Stores the destinations that operators create. */
export interface ManagedDestinationStore {
  /** Lists all destinations by their names. */
  list(): Promise<readonly SealedDestination[]>
  /** Returns a text that every change changes. */
  stamp(): Promise<string>
  /** Stores a new destination. Resolves to false when the name is in use. A rejection of `save` undoes the change. */
  insert(destination: SealedDestination, save?: SaveInTransaction): Promise<boolean>
  /** Replaces a destination whose stored version is `version`; resolves to false otherwise. */
  replace(destination: SealedDestination, version: number, save?: SaveInTransaction): Promise<boolean>
  /** Deletes a destination if its stored version is `version`; resolves to false otherwise. */
  delete(name: string, version: number): Promise<boolean>
}

/** Stores the states of destinations, and the rates that processes share. */
export interface DestinationStore {
  /** The destinations that operators create. */
  readonly managed: ManagedDestinationStore
  /** Lists the destinations that have a state. */
  list(): Promise<readonly DestinationState[]>
  /** Reports whether the destination was not paused before. */
  pause(name: string, reason?: string): Promise<boolean>
  /** Reports whether the destination was paused. */
  resume(name: string): Promise<boolean>
  /** Shows the circuit breaker of a process as open for some milliseconds, or as closed. */
  setBreaker(name: string, openMs: number | undefined): Promise<void>
  /** Adds counts to those of all processes. */
  count(counts: readonly DestinationCounts[]): Promise<void>
  /**
   * Reserves up to `count` requests, of at most a second, one after another at a rate. They can begin after `afterMs` milliseconds. While all requests of
   * the next second are reserved, `count` is 0, and the caller asks again after `afterMs`.
   */
  reserve(
    name: string,
    options: { readonly ratePerSecond: number; readonly count: number },
  ): Promise<{ readonly count: number; readonly afterMs: number }>
}

/** How far ahead requests are reserved, in milliseconds. */
export const reservedAheadMs = 1000

/** How far ahead a reservation can end, in milliseconds. One that ends later is from before the clock was set back. */
export const latestReservedMs = (ratePerSecond: number): number =>
  reservedAheadMs + (Math.ceil(ratePerSecond) * 1000) / ratePerSecond

/** How long counts are summed, in milliseconds, and the time that one stored count has. */
export const countedMs = { total: 3_600_000, part: 300_000 }
