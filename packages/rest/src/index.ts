/**
 * REST conventions as plain data: routes, envelopes, strict list queries, offset and cursor pages, conditional
 * requests, idempotency keys and the headers that go with them.
 *
 * Of Node it needs `node:crypto` and `node:buffer` alone, which Bun, Deno and workerd (`nodejs_compat`) have too.
 *
 * @module
 */
export { negotiate, prefersProblem, requireAcceptable } from './accept.ts'
export {
  bindRoute,
  type AnyRouteResult,
  type RefusedBody,
  type RouteBinding,
  type RouteHandler,
} from './bind-route.ts'
export { checkPreconditions, type ConditionalRequest } from './conditional.ts'
export { createCursorCodec, type CursorCodec, type CursorCodecOptions } from './cursor.ts'
export {
  cursorEnvelope,
  dataEnvelope,
  offsetEnvelope,
  type CursorEnvelope,
  type DataEnvelope,
  type ListForm,
  type OffsetBody,
  type OffsetEnvelope,
} from './envelope.ts'
export { defineListQuery } from './define-list-query.ts'
export { defineRoute, isListQuery, type DefinedRoute } from './define-route.ts'
export { etagOfBytes, etagOfVersion, type ETag } from './etag.ts'
export {
  booleanFilter,
  integerFilter,
  oneOfFilter,
  textFilter,
  type Filter,
  type FilterOptions,
  type Reading,
} from './filters.ts'
export { createMemoryIdempotencyStore, type MemoryIdempotencyStoreOptions } from './idempotency-memory.ts'
export type { ClaimRequest, IdempotencyClaim, IdempotencyStore, StoredResponse } from './idempotency-store.ts'
export {
  createIdempotency,
  type IdempotencyOptions,
  type IdempotentRequest,
  type IdempotentResponse,
  type IdempotentRunner,
  type KeepResponse,
} from './idempotency.ts'
export type { InvalidInputOptions } from './invalid.ts'
export { keysetAfter, positionOf, type CursorPlace, type Position } from './keyset.ts'
export { cursorLinks, offsetLinks, type ListAddress } from './link.ts'
export type {
  CursorPagination,
  Filters,
  FilterValues,
  ListQuery,
  ListQueryDefinition,
  ListQueryOf,
  ListQueryOptions,
  OffsetPagination,
  PaginationMode,
  ParseListQueryOptions,
  QueryParameter,
} from './list-query.ts'
export {
  cursorPage,
  pageCursors,
  pageRequest,
  pickFields,
  selectRows,
  type CursorPageOptions,
  type PageCursors,
  type PageRequest,
} from './page.ts'
export {
  allOf,
  anyOf,
  matches,
  type ComparisonOperator,
  type Predicate,
  type RowOperator,
} from './predicate.ts'
export {
  errorResponse,
  problemOf,
  type ErrorResponseOptions,
  type NegotiatedErrorResponse,
  type ProblemDetails,
} from './problem.ts'
export type { QueryBounds } from './query-string.ts'
export { rateLimitHeaders, retryAfter, type RateLimitState } from './rate-limit.ts'
export type { PathParameters } from './route-path.ts'
export { readRequest, type RawRouteRequest, type ReadRequestOptions } from './route-request.ts'
export type {
  AnyRoute,
  ParamsSchema,
  ResponseDeclaration,
  Route,
  RouteAccess,
  RouteMethod,
  RouteQuery,
  RouteRequest,
  RouteResponses,
  RouteResult,
} from './route.ts'
export { allowOf, createRouter, type RouteMatch, type Router, type RouterOptions } from './router.ts'
export type { Row, Scalar } from './scalar.ts'
export { compareBy, type SortableField, type SortKey } from './sort.ts'
export { schemaFilter, type SchemaFilterOptions } from './schema-filter.ts'
export { afterFilter, beforeFilter } from './time-filters.ts'
export { parseTime } from './time.ts'
export { check, validate, type Checked, type ValidateOptions } from './validate.ts'
