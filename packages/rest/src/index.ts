/**
 * REST APIs that enforce what their routes declare: access, rate limits, schemas, list queries, offset and cursor pages,
 * conditional requests and idempotency keys.
 *
 * Needs only `node:crypto` and `node:buffer`, which Bun, Deno and workerd (`nodejs_compat`) have, too.
 *
 * @module
 */
export { answerList, type ListResult, type LoadList } from './answer-list.ts'
export type { ApiContext } from './api/api-context.ts'
export type { ApiRequest, ApiResponse } from './api/api-request.ts'
export type { Api, ApiEvent, ApiOptions, Authenticate } from './api/api-options.ts'
export { createApi } from './api/api.ts'
export { streamBody, type RequestBody } from './api/request-body.ts'
export {
  createMemoryRateLimit,
  type MemoryRateLimit,
  type RateLimit,
  type RateLimitResult,
} from './api/memory-rate-limit.ts'
export { requireQuota } from './api/rate-limits.ts'
export { checkPreconditions, formatETag, hashETag, type ETag } from './conditional.ts'
export { createCursorCodec, type CursorCodec } from './cursor.ts'
export { defineListQuery } from './define-list-query.ts'
export { dataEnvelope, type CursorEnvelope, type DataEnvelope } from './envelope.ts'
export type { ListFilter } from './filters.ts'
export { listFilter } from './list-filter.ts'
export type { StoredResponse } from './idempotency-store.ts'
export {
  createIdempotency,
  type IdempotentRequest,
  type IdempotentResponse,
  type IdempotentRunner,
} from './idempotency.ts'
export type { CursorPagination, ListFilterValues, ListQuery, ListQueryDefinition } from './list-query.ts'
export { createMemoryIdempotencyStore } from './memory-idempotency-store.ts'
export { requireCurrent, requireFound } from './require-resource.ts'
export type { Contracted } from './contract.ts'
export type { AnyRouteResult, RouteBinding } from './route-binding.ts'
export { createRouteGroup, type AuthenticatedContext } from './route-group.ts'
export type { RouteGroup } from './route-group-types.ts'
export type { AnyRoute, RouteAccess } from './route.ts'
export { validate } from './validate.ts'
