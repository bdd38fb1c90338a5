/**
 * REST APIs that enforce what their routes declare: access, rate limits, schemas, list queries, offset and cursor pages,
 * conditional requests and idempotency keys.
 *
 * Needs only `node:crypto` and `node:buffer`, which Bun, Deno and workerd (`nodejs_compat`) have, too.
 *
 * @module
 */
export { requireAcceptsJson } from './accept.ts'
export {
  answerList,
  type AnswerListOptions,
  type ListResult,
  type ListRows,
  type LoadList,
} from './answer-list.ts'
export type { ApiContext } from './api/api-context.ts'
export type { ApiRequest, ApiResponse, ResponseBody } from './api/api-request.ts'
export type { Api, ApiEvent, ApiOptions, Authenticate, AuthenticationContext } from './api/api-options.ts'
export { createApi } from './api/api.ts'
export { streamBody, type RequestBody, type StreamBodyOptions } from './api/request-body.ts'
export type { CorsOptions } from './api/cors.ts'
export {
  createMemoryRateLimit,
  type MemoryRateLimit,
  type RateLimit,
  type RateLimitOptions,
  type RateLimitResult,
} from './api/memory-rate-limit.ts'
export { requireQuota, type ApiRateLimit, type ApiRateLimits } from './api/rate-limits.ts'
export {
  checkPreconditions,
  formatETag,
  hashETag,
  type ConditionalRequest,
  type ETag,
} from './conditional.ts'
export type { ResponseCipher } from './encrypt-responses.ts'
export { createCursorCodec, type CursorCodec } from './cursor.ts'
export { defineListQuery } from './define-list-query.ts'
export {
  dataEnvelope,
  offsetEnvelope,
  type CursorEnvelope,
  type DataEnvelope,
  type ListForm,
  type OffsetEnvelope,
} from './envelope.ts'
export { booleanFilter, integerFilter, oneOfFilter, textFilter, type ListFilter } from './filters.ts'
export type { StoredResponse } from './idempotency-store.ts'
export {
  createIdempotency,
  type IdempotentRequest,
  type IdempotentResponse,
  type IdempotentRunner,
  type SaveResponse,
} from './idempotency.ts'
export { formatCursorLinks, formatOffsetLinks, type ListAddress } from './link.ts'
export type {
  CursorPagination,
  ListQuery,
  ListQueryDefinition,
  ListQueryOptions,
  OffsetPagination,
  ParseListQueryOptions,
  QueryParameter,
} from './list-query.ts'
export type { ValidationCode } from './issue-details.ts'
export { createMemoryIdempotencyStore } from './memory-idempotency-store.ts'
export { cursorPage, getPageCursors, pickFields, selectRows, type PageCursors } from './page.ts'
export { negotiateErrorResponse, type ProblemDetails } from './problem.ts'
export { formatRateLimitHeaders, formatRetryAfter, type RateLimitState } from './rate-limit.ts'
export { requireCurrent, requireFound } from './require-resource.ts'
export type { AnyRouteResult, RefusedBody, RouteBinding } from './route-binding.ts'
export { createRouteGroup, type AuthenticatedContext, type RouteGroupOptions } from './route-group.ts'
export type { RouteGroup } from './route-group-types.ts'
export { readRequest, type RawRouteRequest, type ReadRequestOptions } from './route-request.ts'
export type {
  AnyRoute,
  ResponseDeclaration,
  ResponseHeader,
  Route,
  RouteAccess,
  RouteMethod,
  RouteRequest,
  RouteResult,
} from './route.ts'
export { createRouter, type RouteMatch, type Router } from './router.ts'
export { schemaFilter } from './schema-filter.ts'
export { afterFilter, beforeFilter } from './time-filters.ts'
export { validate } from './validate.ts'
