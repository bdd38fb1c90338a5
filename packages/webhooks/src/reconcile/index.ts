/**
 * Reconciliation: what services could not deliver is found and recovered.
 *
 * @module
 */
export type { Reconciliation, ReconcileOperations } from './reconciler.ts'
export type {
  FeedSource,
  Missed,
  MissedDelivery,
  MissedEvent,
  ReconcileSource,
  ReconcileWindow,
  RedeliverySource,
} from './source.ts'
export type { ReconcileState, ReconciliationStore } from './store.ts'
