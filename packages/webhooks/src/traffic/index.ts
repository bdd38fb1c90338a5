/**
 * Counts of the requests of a gateway per minute, for statistics.
 *
 * @module
 */
export { createMemoryTrafficStore } from './memory-store.ts'
export { createTrafficRecorder, type TrafficRecorderOptions } from './recorder.ts'
export type { TrafficCount, TrafficOutcome, TrafficStore, TrafficSums } from './store.ts'
