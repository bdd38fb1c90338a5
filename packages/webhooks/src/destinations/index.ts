/**
 * The store of the states of destinations: pauses, circuit breakers and shared rates.
 *
 * @module
 */
export type { DestinationOperations, DestinationSummary } from './operations.ts'
export { createMemoryDestinationStore } from './memory-store.ts'
export {
  countedMs,
  latestReservedMs,
  reservedAheadMs,
  type DestinationCounts,
  type DestinationState,
  type DestinationStore,
} from './store.ts'
