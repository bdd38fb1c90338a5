import type { StandardSchemaV1 } from '@standard-schema/spec'
import { answerList } from './answer-list.ts'
import type { ApiContext } from './api/api-context.ts'
import { checkRoute } from './check-route.ts'
import { dataEnvelope } from './envelope.ts'
import type { ListQuery } from './list-query.ts'
import type { AnyRouteResult, RouteBinding } from './route-binding.ts'
import type { RouteGroup, Rows } from './route-group-types.ts'
import type { AnyRoute, Route, RouteAccess, RouteMethod, RouteRequest, RouteResponses } from './route.ts'

/** The common properties of the routes of a group. */
export interface RouteGroupOptions extends Pick<Route, 'tags' | 'etag' | 'errors' | 'rateLimit'> {
  /** @default 'authenticated' */
  readonly access?: RouteAccess
  /** Whether the POST routes honor `Idempotency-Key`. @default false */
  readonly idempotencyKey?: boolean
}

/** The context of routes that are not public. */
export type AuthenticatedContext<Caller, Dependencies extends object = object> = ApiContext<Caller> &
  Dependencies & { readonly caller: Caller }

/**
 * Creates functions that define routes with common declarations and bind their handlers.
 *
 * - A route with `data` has one response: the handler returns the resource, and the route answers `{ data }` with the status
 *   of the method. A 201 response has a `Location` if the resource has an `id`. A path with parameters also declares the
 *   error `NOT_FOUND`.
 * - A route with `responses` has several responses, other headers or other media types: the handler returns status, headers
 *   and body.
 *
 * @throws TypeError from its functions for a contradictory declaration
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup, defineListQuery } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const Note = z.object({ id: z.string(), text: z.string() }).meta({ id: 'Note' })
 * const query = defineListQuery({ sortable: ['id'], searchable: 'text' })
 * const csv = { 200: { description: 'All notes', mediaType: 'text/csv; charset=utf-8' } }
 * const notes: z.infer<typeof Note>[] = []
 * const route = createRouteGroup({ access: 'public', tags: ['notes'] })
 * const api = createApi({
 *   secrets: ['a secret of at least thirty-two bytes'],
 *   routes: [
 *     route.list('/notes', { operationId: 'listNotes', query, item: Note }, () => notes),
 *     route.post('/notes', { operationId: 'createNote', body: Note, data: Note }, ({ body }) => {
 *       notes.push(body)
 *       return body
 *     }),
 *     route.get('/notes.csv', { operationId: 'exportNotes', responses: csv }, () => ({
 *       status: 200,
 *       body: notes.map(({ text }) => text).join('\n'),
 *     })),
 *   ],
 * })
 * ```
 */
export function createRouteGroup<Caller = unknown, Dependencies extends object = object>(
  options?: RouteGroupOptions & { readonly access?: Exclude<RouteAccess, 'public'> },
): RouteGroup<AuthenticatedContext<Caller, Dependencies>, ApiContext<Caller> & Dependencies>
export function createRouteGroup<Caller = unknown, Dependencies extends object = object>(
  options: RouteGroupOptions,
): RouteGroup<ApiContext<Caller> & Dependencies, ApiContext<Caller> & Dependencies>
export function createRouteGroup({
  errors: commonErrors = [],
  idempotencyKey = false,
  access = 'authenticated',
  ...common
}: RouteGroupOptions = {}): RouteGroup<ApiContext, ApiContext> {
  const define = (
    method: RouteMethod,
    path: string,
    { errors = [], ...route }: AnyDeclaration,
    responses: RouteResponses,
  ): AnyRoute =>
    checkRoute<AnyRoute>({
      access,
      ...common,
      ...(method === 'POST' && { idempotencyKey }),
      ...route,
      errors: [...commonErrors, ...errors],
      method,
      path,
      responses,
    })

  const bind =
    (method: RouteMethod) =>
    (
      path: string,
      { responses, ...declared }: AnyDeclaration & AnyResponses,
      handler: AnyHandler<unknown>,
    ): RouteBinding => {
      if (responses === undefined) return bindResource(method, path, declared, handler)
      return {
        route: define(method, path, declared, responses),
        // The types of the group require the result of a route with responses.
        handler: async (request, context) => (await handler(request, context)) as AnyRouteResult,
      }
    }

  function bindResource(
    method: RouteMethod,
    path: string,
    { data, status = getStatus(method, data), ...declared }: AnyDeclaration & AnyResponses,
    handler: AnyHandler<unknown>,
  ): RouteBinding {
    const location = status === 201 && {
      headers: {
        Location: { description: 'The address of the resource, if it has an id.', required: false },
      },
    }
    const response = data === undefined ? {} : { data, ...location }
    return {
      route: define(method, path, withNotFound(path, declared), { [status]: response }),
      handler: async (request, context) => {
        const resource = await handler(request, context)
        if (data === undefined) return { status }
        const headers = status === 201 ? createLocation(context, resource) : {}
        return { status, headers, body: dataEnvelope(resource) }
      },
    }
  }

  const list = (
    path: string,
    { item, ...declared }: AnyDeclaration & { readonly item: StandardSchemaV1 },
    handler: AnyHandler<Rows<object>>,
  ): RouteBinding => ({
    route: define('GET', path, withNotFound(path, declared), { 200: { list: item } }),
    handler: async (request, context) =>
      await answerList(request.query as unknown as ListQuery, context, await handler(request, context)),
  })

  const group = {
    list,
    get: bind('GET'),
    post: bind('POST'),
    put: bind('PUT'),
    patch: bind('PATCH'),
    delete: bind('DELETE'),
  }
  // The erased types cannot express that only requests of a route reach its handler.
  return group as unknown as RouteGroup<ApiContext, ApiContext>
}

type AnyDeclaration = Omit<AnyRoute, 'method' | 'path' | 'access' | 'responses'>

interface AnyResponses {
  readonly data?: StandardSchemaV1
  readonly status?: number
  readonly responses?: RouteResponses
}

type AnyHandler<Result> = (request: RouteRequest<AnyRoute>, context: ApiContext) => Result | Promise<Result>

function withNotFound(path: string, { errors = [], ...declared }: AnyDeclaration): AnyDeclaration {
  return { ...declared, errors: [...(path.includes('{') ? ['NOT_FOUND'] : []), ...errors] }
}

function getStatus(method: RouteMethod, data: StandardSchemaV1 | undefined): number {
  if (data === undefined) return 204
  return method === 'POST' ? 201 : 200
}

function createLocation({ address }: ApiContext, resource: unknown): Readonly<Record<string, string>> {
  const { id } = Object(resource) as { readonly id?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') return {}
  return { Location: `${address.url}/${encodeURIComponent(id)}` }
}
