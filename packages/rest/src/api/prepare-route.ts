import { Buffer } from 'node:buffer'
import { hkdfSync } from 'node:crypto'
import type { RouteBinding } from '../route-binding.ts'
import { createCursorCodec, type CursorCodec } from '../cursor.ts'
import { isListQuery } from '../check-route.ts'
import { encryptResponses } from '../encrypt-responses.ts'
import { createIdempotency, type IdempotentRunner } from '../idempotency.ts'
import { getMediaType } from '../media-type.ts'
import { parseTemplate, type TemplateSegment } from '../route-path.ts'
import { requireLinks } from '../response-links.ts'
import type { AnyRoute } from '../route.ts'
import type { ApiContext } from './api-context.ts'
import type { ApiOptions } from './api-options.ts'
import { createResponseCheck, type CheckResponse } from './check-response.ts'
import { isRequestBody } from './request-body.ts'
import { requireReadable } from './require-readable.ts'
import { createRepresentations, createResponseStrip } from './strip-response.ts'
import type { Strip } from './strip-schema.ts'
import { createRateLimits, type CountRequest } from './rate-limits.ts'

/** A route binding with the values that are computed once. */
export interface PreparedRoute<Caller, Dependencies> extends RouteBinding<ApiContext<Caller> & Dependencies> {
  readonly segments: readonly TemplateSegment[]
  readonly mediaTypes: readonly string[]
  readonly countRequest: CountRequest | undefined
  /** Checks the results of the handler, if the options require it. */
  readonly checkResponse: CheckResponse | undefined
  /** Removes the fields of the resource that no response has, if the options require it. */
  readonly represent: Strip | undefined
  /** Runs a request once for its `Idempotency-Key`, if the route takes one. */
  readonly idempotent: IdempotentRunner | undefined
}

/** The routes and ports of an API, checked at the start. */
export interface PreparedApi<Caller, Dependencies> {
  readonly routes: readonly PreparedRoute<Caller, Dependencies>[]
  /** Counts requests for unknown paths. */
  readonly countUnknown: CountRequest | undefined
  readonly cursors: CursorCodec | undefined
}

type AnyApiOptions = Pick<ApiOptions<unknown, object>, 'secrets' | 'idempotency'> & {
  readonly authenticate?: unknown
}

/** @throws TypeError for a declaration that the options cannot enforce */
export function prepareApi<Caller, Dependencies extends object>(
  options: ApiOptions<Caller, Dependencies>,
): PreparedApi<Caller, Dependencies> {
  const { secrets, responseSchemas = getDefaultCheck() } = options
  const cursors = options.cursors ?? (secrets && createCursorCodec({ keys: deriveKeys(secrets, 'cursors') }))
  const idempotent = createRunner(options)
  requireLinks(options.routes.map(({ route }) => route))
  const selectLimit = createRateLimits(options.rateLimits ?? { default: { quota: 600, window: 60 } })
  const getRepresentation =
    responseSchemas === 'strip' ? createRepresentations(options.routes.map(({ route }) => route)) : undefined
  return {
    cursors,
    countUnknown: selectLimit(undefined),
    routes: options.routes.map((binding) => {
      const { route, responseCipher } = binding
      requireEnforceable(route, options, cursors, idempotent)
      requireReadable(route)
      return {
        ...binding,
        segments: parseTemplate(route.path),
        mediaTypes: getMediaTypes(route),
        countRequest: selectLimit(route),
        checkResponse: createCheck(route, responseSchemas),
        represent: route.etag === true ? getRepresentation?.(route) : undefined,
        idempotent: idempotent && responseCipher ? encryptResponses(idempotent, responseCipher) : idempotent,
      }
    }),
  }
}

type ResponseSchemas = NonNullable<ApiOptions<unknown, object>['responseSchemas']>

/** An undeclared field is an error where developers see it, and must not fail a request of a user. */
function getDefaultCheck(): ResponseSchemas {
  const environment = typeof process === 'undefined' ? undefined : process.env['NODE_ENV']
  return environment === 'development' || environment === 'test' ? 'check' : 'strip'
}

function createCheck(route: AnyRoute, mode: ResponseSchemas): CheckResponse | undefined {
  if (mode === 'trust') return undefined
  return (mode === 'strip' ? createResponseStrip(route) : undefined) ?? createResponseCheck(route, mode)
}

/** @throws TypeError for a declaration that cannot be enforced */
function requireEnforceable(
  { operationId, access, query, idempotencyKey, body, responses }: AnyRoute,
  { authenticate }: AnyApiOptions,
  cursors: CursorCodec | undefined,
  idempotent: IdempotentRunner | undefined,
): void {
  if (access !== 'public' && authenticate === undefined)
    throw new TypeError(`${operationId} is not public: set authenticate, or declare access: 'public'`)
  if (isListQuery(query) && query.pagination !== 'offset' && cursors === undefined)
    throw new TypeError(`${operationId} has cursor pages: set secrets, which sign the cursors`)
  if (idempotencyKey === true && idempotent === undefined)
    throw new TypeError(`${operationId} has an idempotency key: set idempotency to a store`)
  if (idempotencyKey === true && access === 'public')
    throw new TypeError(`${operationId} is public: an idempotency key needs a caller that owns the key`)
  if (idempotencyKey === true && isRequestBody(body))
    throw new TypeError(`${operationId} has an idempotency key, so its body must be JSON`)
  const hasMediaType = Object.values(responses).some((response) => getMediaType(response) !== undefined)
  if (hasMediaType && idempotencyKey === true)
    throw new TypeError(`${operationId} has an idempotency key, so all responses must be JSON`)
}

/** Returns the media types of the responses of a route, without parameters. */
function getMediaTypes({ responses }: AnyRoute): readonly string[] {
  const types = Object.values(responses).map((response) => getMediaType(response) ?? 'application/json')
  return [...new Set(types.map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? type))]
}

/** Derives keys for one purpose (HKDF, RFC 5869). Signatures for one purpose are invalid for another. */
function deriveKeys(secrets: readonly string[], purpose: string): readonly Uint8Array[] {
  if (secrets.length === 0 || secrets.some((secret) => Buffer.byteLength(secret) < 32))
    throw new TypeError('secrets must hold at least one secret of at least 32 bytes, and no shorter one')
  return secrets.map(
    (secret) => new Uint8Array(hkdfSync('sha256', secret, '', `sallyport rest ${purpose}`, 32)),
  )
}

function createRunner({ idempotency, secrets }: AnyApiOptions): IdempotentRunner | undefined {
  if (idempotency === undefined || typeof idempotency === 'function') return idempotency
  if (secrets === undefined) throw new TypeError('idempotency needs secrets, which fingerprint the bodies')
  return createIdempotency({ store: idempotency, keys: deriveKeys(secrets, 'idempotency') })
}
