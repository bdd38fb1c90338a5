import type { StandardSchemaV1 } from '@standard-schema/spec'
import { answerList, type LoadList } from './answer-list.ts'
import type { ApiContext } from './api/api-context.ts'
import type { AnyRouteResult, ExactHandler, RouteBinding } from './bind-route.ts'
import { defineRoute, type DefinedRoute, type TextHeaders, type TextParams } from './define-route.ts'
import { dataEnvelope } from './envelope.ts'
import type { Exact, Immutable } from './exact.ts'
import type { JsonBody, TextQuery } from './input-types.ts'
import type { ListQuery, ListQueryDefinition } from './list-query.ts'
import type {
  AnyRoute,
  ParamsSchema,
  Route,
  RouteAccess,
  RouteMethod,
  RouteQuery,
  RouteRequest,
  RouteResponses,
  TextSchemas,
} from './route.ts'

/** What the routes of a group have in common. */
export interface RouteGroupOptions extends Pick<Route, 'tags' | 'etag' | 'errors' | 'rateLimit'> {
  /** @default 'authenticated' */
  readonly access?: RouteAccess
  /** Whether the POST routes honor `Idempotency-Key`. @default false */
  readonly idempotencyKey?: boolean
}

/** The context of routes that are not public. */
export type AuthenticatedContext<Caller, Dependencies extends object = object> = ApiContext<Caller> &
  Dependencies & { readonly caller: Caller }

type Shared = 'method' | 'path' | 'access' | 'responses' | 'params' | 'query' | 'headers' | 'cookies' | 'body'

/** A route whose handler returns a resource. */
type GroupRoute<
  Path extends string,
  Params extends StandardSchemaV1 | undefined,
  Headers extends TextSchemas | undefined,
  Cookies extends TextSchemas | undefined,
> = Omit<Route<Path>, Shared> & {
  readonly access?: Exclude<RouteAccess, 'public'>
  readonly params?: Params
  readonly headers?: Headers
  readonly cookies?: Cookies
} & TextParams<Params> &
  TextHeaders<Headers, Cookies>

/** Defines a route and binds the handler, which returns the resource of `data`. */
type BindResource<Context, Bound> = <
  const Path extends string,
  const Result extends Returned<Data> | Immutable<Returned<Data>>,
  Params extends ParamsSchema<Path> | undefined = undefined,
  Query extends RouteQuery | undefined = undefined,
  Body extends StandardSchemaV1 | undefined = undefined,
  Data extends StandardSchemaV1 | undefined = undefined,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
>(
  path: Path,
  route: GroupRoute<Path, Params, Headers, Cookies> & {
    readonly query?: Query
    readonly body?: Body
    /** The schema of the resource. @default the response has no body */
    readonly data?: Data
    /** The status of the response. @default 201 for a POST, 204 without `data`, otherwise 200 */
    readonly status?: number
  } & TextQuery<Query> &
    JsonBody<Body>,
  handler: ((
    request: RouteRequest<DefinedRoute<Path, Params, Query, Body, RouteResponses, Headers, Cookies>>,
    context: Context,
  ) => Result | Promise<Result>) &
    ([Data] extends [undefined] ? unknown : ExactHandler<Result, Exact<Result, Returned<Data>>>),
) => RouteBinding<Bound>

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a handler without a return statement returns void
type Returned<Data> = Data extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<Data> : void

/** Defines a GET route and binds the handler, which returns rows or a function that loads rows, as for `answerList`. */
type BindList<Context, Bound> = <
  const Path extends string,
  Row extends object,
  Item extends StandardSchemaV1<unknown, object>,
  Query extends ListQueryDefinition,
  Params extends ParamsSchema<Path> | undefined = undefined,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
>(
  path: Path,
  route: GroupRoute<Path, Params, Headers, Cookies> & {
    readonly query: Query
    /** The schema of an item. */
    readonly item: Item
  },
  handler: ((
    request: RouteRequest<DefinedRoute<Path, Params, Query, undefined, RouteResponses, Headers, Cookies>>,
    context: Context,
  ) => Rows<Row> | Promise<Rows<Row>>) &
    ExactHandler<Row, Exact<Row, StandardSchemaV1.InferOutput<Item>>>,
) => RouteBinding<Bound>

type Rows<Row> = readonly Row[] | LoadList<Row>

/** Functions that define routes and bind their handlers. */
export interface RouteGroup<Context, Bound> {
  readonly list: BindList<Context, Bound>
  readonly get: BindResource<Context, Bound>
  readonly post: BindResource<Context, Bound>
  readonly put: BindResource<Context, Bound>
  readonly patch: BindResource<Context, Bound>
  readonly delete: BindResource<Context, Bound>
}

/**
 * Creates functions that define routes with common declarations and bind their handlers.
 *
 * A handler returns its resource, and the route answers `{ data }` with the status of the method. A 201 response has a
 * `Location` if the resource has an `id`. A path with parameters also declares the error `NOT_FOUND`. Use `defineRoute` and
 * `bindRoute` for routes with several responses, other headers or other media types.
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
 *   ],
 * })
 * ```
 */
export function createRouteGroup<Caller = unknown, Dependencies extends object = object>(
  options: RouteGroupOptions & { readonly access: 'public' },
): RouteGroup<ApiContext<Caller> & Dependencies, ApiContext<Caller> & Dependencies>
export function createRouteGroup<Caller, Dependencies extends object = object>(
  options?: RouteGroupOptions,
): RouteGroup<AuthenticatedContext<Caller, Dependencies>, ApiContext<Caller> & Dependencies>
export function createRouteGroup({
  errors: commonErrors = [],
  idempotencyKey = false,
  access = 'authenticated',
  ...common
}: RouteGroupOptions = {}): RouteGroup<ApiContext, ApiContext> {
  const define = (
    method: RouteMethod,
    path: string,
    { errors = [], ...route }: AnyGroupRoute,
    responses: RouteResponses,
  ): AnyRoute =>
    defineRoute<
      string,
      RouteResponses,
      ParamsSchema<string>,
      RouteQuery,
      StandardSchemaV1,
      TextSchemas,
      TextSchemas
    >({
      access,
      ...common,
      ...(method === 'POST' && { idempotencyKey }),
      ...route,
      errors: [...(path.includes('{') ? ['NOT_FOUND'] : []), ...commonErrors, ...errors],
      method,
      path,
      responses,
    })

  const bind =
    (method: RouteMethod) =>
    (
      path: string,
      { data, status = getStatus(method, data), ...declared }: AnyGroupRoute & ResourceParts,
      handler: (request: RouteRequest<AnyRoute>, context: ApiContext) => unknown,
    ): RouteBinding<ApiContext> => {
      const location = status === 201 && {
        headers: {
          Location: { description: 'The address of the resource, if it has an id.', required: false },
        },
      }
      const response = data === undefined ? {} : { data, ...location }
      return {
        route: define(method, path, declared, { [status]: response }),
        handler: async (request, context): Promise<AnyRouteResult> => {
          const resource = await handler(request, context)
          if (data === undefined) return { status }
          const headers = status === 201 ? createLocation(context, resource) : {}
          return { status, headers, body: dataEnvelope(resource) }
        },
      }
    }

  const list = (
    path: string,
    { item, ...declared }: AnyGroupRoute & { readonly item: StandardSchemaV1 },
    handler: (request: RouteRequest<AnyRoute>, context: ApiContext) => Rows<object> | Promise<Rows<object>>,
  ): RouteBinding<ApiContext> => ({
    route: define('GET', path, declared, { 200: { list: item } }),
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

type AnyGroupRoute = Omit<
  Route<string, ParamsSchema<string>, RouteQuery, StandardSchemaV1, RouteResponses, TextSchemas, TextSchemas>,
  'method' | 'path' | 'access' | 'responses'
>

interface ResourceParts {
  readonly data?: StandardSchemaV1
  readonly status?: number
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
