/**
 * Ignored and refused deliveries, kept for a short time: to inspect them, and to replay them after the provider or the secret
 * was corrected.
 *
 * @module
 */
export {
  createUnprocessedDiagnoser,
  type UnprocessedDiagnoser,
  type UnprocessedDiagnoserOptions,
} from './diagnoser.ts'
export { createUnprocessedKeeper, type UnprocessedKeeperOptions } from './keeper.ts'
export { createMemoryUnprocessedStore } from './memory-store.ts'
export { createUnprocessedReplayer, type UnprocessedReplayer } from './replayer.ts'
export type {
  UnprocessedDelivery,
  UnprocessedFilter,
  UnprocessedLimits,
  UnprocessedPosition,
  UnprocessedRecord,
  UnprocessedStore,
} from './store.ts'
