/**
 * Counts of the requests of a gateway per minute, for statistics.
 *
 * @module
 */
export type { TrafficCount, TrafficOutcome, TrafficStore, TrafficSums } from './store.ts'
