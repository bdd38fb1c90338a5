/**
 * The destinations that operators create, and the store of all destinations: pauses, circuit breakers and shared rates.
 *
 * @module
 */
export {
  openManagedDestinations,
  reencryptDestinations,
  type ClosableDestination,
  type ManagedDestination,
  type ManagedDestinations,
  type ManagedDestinationsOptions,
} from './managed.ts'
export type { DestinationOperations, DestinationSummary } from './operations.ts'
export { createMemoryDestinationStore } from './memory-store.ts'
export {
  countedMs,
  latestReservedMs,
  reservedAheadMs,
  type DestinationCounts,
  type DestinationState,
  type DestinationStore,
  type ManagedDestinationStore,
  type SealedDestination,
} from './store.ts'
