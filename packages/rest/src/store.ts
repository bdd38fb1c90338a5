/**
 * The ports for authors of stores: predicates and keyset positions of list queries, and idempotency records.
 *
 * @module
 */
export type { ClaimRequest, IdempotencyClaim, IdempotencyStore } from './idempotency-store.ts'
export { keysetAfter, type CursorAnchor } from './keyset.ts'
export { createPageLoader } from './page-loader.ts'
export { matchesPredicate, type Predicate } from './predicate.ts'
export type { Scalar } from './scalar.ts'
export { compareRowsBy, type SortKey } from './sort.ts'
