/**
 * The store of the states of destinations: pauses, circuit breakers and shared rates.
 *
 * @module
 */
export type { DestinationOperations, DestinationSummary } from './operations.ts'
export {
  createMemoryDestinationStore,
  latestReservedMs,
  reservedAheadMs,
  type DestinationState,
  type DestinationStore,
} from './store.ts'
