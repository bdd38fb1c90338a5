/**
 * The ports for authors of stores: predicates and keyset positions of list queries, and idempotency records.
 *
 * @module
 */
export type { ClaimRequest, IdempotencyClaim, IdempotencyStore } from './idempotency-store.ts'
export { getCursorPosition, keysetAfter, type CursorAnchor, type CursorPosition } from './keyset.ts'
export { toPageRequest, type PageRequest } from './page.ts'
export { createPageLoader, type PageSource } from './page-loader.ts'
export {
  andPredicates,
  matchesPredicate,
  orPredicates,
  type ComparisonOperator,
  type Predicate,
  type RowOperator,
} from './predicate.ts'
export type { Scalar } from './scalar.ts'
export { compareRowsBy, type SortKey } from './sort.ts'
