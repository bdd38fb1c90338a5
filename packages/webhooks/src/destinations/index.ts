/**
 * The store of the states of destinations: pauses, circuit breakers and shared rates.
 *
 * @module
 */
export {
  createMemoryDestinationStore,
  reservedAheadMs,
  type DestinationState,
  type DestinationStore,
} from './store.ts'
