/**
 * Ignored and refused deliveries, kept for a short time: to inspect them, and to replay them after the provider or the secret
 * was corrected.
 *
 * @module
 */
export type { UnprocessedDiagnoser } from './diagnoser.ts'
export type { UnprocessedReplayer } from './replayer.ts'
export type { UnprocessedDelivery, UnprocessedFilter, UnprocessedRecord, UnprocessedStore } from './store.ts'
