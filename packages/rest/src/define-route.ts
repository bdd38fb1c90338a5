import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isRequestBody } from './api/request-body.ts'
import type { JsonBody, TextQuery } from './input-types.ts'
import type { TextInput } from './schema-filter.ts'
import type { ListQueryDefinition } from './list-query.ts'
import { parseTemplate } from './route-path.ts'
import type {
  AnyRoute,
  ParamsSchema,
  Route,
  RouteMethod,
  RouteQuery,
  RouteResponses,
  TextSchemas,
} from './route.ts'

/**
 * Declares a route as data for validation, routing, access control and documentation.
 *
 * @throws TypeError for a contradictory declaration, or an unknown method or access
 *
 * @example
 * ```ts
 * import { defineRoute } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const getUser = defineRoute({
 *   method: 'GET',
 *   path: '/users/{id}',
 *   operationId: 'getUser',
 *   summary: 'Get a user',
 *   access: 'authenticated',
 *   params: z.object({ id: z.uuid() }),
 *   responses: { 200: { description: 'The user', data: z.object({ id: z.uuid(), name: z.string() }) } },
 *   errors: ['NOT_FOUND'],
 * })
 * ```
 */
export function defineRoute<
  const Path extends string,
  const Responses extends RouteResponses,
  Params extends ParamsSchema<Path> | undefined = undefined,
  Query extends RouteQuery | undefined = undefined,
  Body extends StandardSchemaV1 | undefined = undefined,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
>(
  route: Route<Path, Params, Query, Body, Responses, Headers, Cookies> &
    TextParams<Params> &
    TextQuery<Query> &
    TextHeaders<Headers, Cookies> &
    JsonBody<Body>,
): DefinedRoute<Path, Params, Query, Body, Responses, Headers, Cookies> {
  const problem = findContradiction(route)
  if (problem !== undefined) throw new TypeError(`${route.operationId}: ${problem}`)
  parseTemplate(route.path)
  const defined: Route<Path, Params, Query, Body, Responses, Headers, Cookies> = route
  // A part that is not declared is absent, and its type is undefined.
  return defined as DefinedRoute<Path, Params, Query, Body, Responses, Headers, Cookies>
}

/** Requires path parameters to accept text. The indexed lookup lets code that is generic over `Params` compile. */
export interface TextParams<Params> {
  readonly params?: (Params extends StandardSchemaV1
    ? TextInputs<StandardSchemaV1.InferInput<Params>>
    : AnyParams)['params']
}
interface AnyParams {
  readonly params: unknown
}
type TextInputs<Input> = Input extends { readonly [Name in keyof Input]: TextInput<Input[Name]> }
  ? AnyParams
  : { readonly params: StandardSchemaV1<{ [Name in keyof Input]: TextInput<Input[Name]> }, unknown> }

/** Requires headers and cookies to accept text. */
export interface TextHeaders<Headers, Cookies> {
  readonly headers?: AcceptText<Headers>
  readonly cookies?: AcceptText<Cookies>
}
type AcceptText<Schemas> = {
  readonly [Name in keyof Schemas]: Schemas[Name] extends StandardSchemaV1
    ? StandardSchemaV1<TextInput<StandardSchemaV1.InferInput<Schemas[Name]>>, unknown>
    : never
}

/** A route whose type shows which parts are declared. */
export type DefinedRoute<
  Path extends string,
  Params extends StandardSchemaV1 | undefined,
  Query extends RouteQuery | undefined,
  Body extends StandardSchemaV1 | undefined,
  Responses extends RouteResponses,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
> = Omit<
  Route<Path, Params, Query, Body, Responses, Headers, Cookies>,
  'params' | 'query' | 'body' | 'headers' | 'cookies'
> &
  Part<'params', Params> &
  Part<'query', Query> &
  Part<'body', Body> &
  Part<'headers', Headers> &
  Part<'cookies', Cookies>

type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [N in Name]?: never }
  : { readonly [N in Name]: T }

/** Whether a route's query is a list query rather than a schema. */
export function isListQuery(query: RouteQuery | undefined): query is ListQueryDefinition {
  return query !== undefined && 'parse' in query && 'parameters' in query
}

/** Whether a route creates a resource, which has no representation that a precondition could name. */
export const isCreation = ({ method, responses }: AnyRoute): boolean => method === 'POST' && 201 in responses

const methods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function findContradiction(route: AnyRoute): string | undefined {
  const { method, query, body, access, responses } = route
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(route.operationId)) return 'operationId must be an identifier'
  if (!methods.includes(method)) return `method must be one of ${methods.join(', ')}`
  if (body !== undefined && !takesBody) return `${method} does not take a body`
  if (route.bodyRequired !== undefined && body === undefined) return 'bodyRequired needs a body'
  if (route.bodyRequired !== undefined && isRequestBody(body)) return 'bodyRequired needs a JSON body'
  if (route.idempotencyKey === true && method !== 'POST') return 'idempotencyKey needs the method POST'
  // A host that compares access with 'public' would accept any token for an unknown value.
  const isKnown = access === 'public' || access === 'authenticated'
  const { roles } = Object(access) as { readonly roles?: unknown }
  if (!isKnown && !(Array.isArray(roles) && roles.length > 0))
    return "access must be 'public', 'authenticated' or { roles: […] } with at least one role"
  const declared = Object.entries(responses)
  if (declared.length === 0) return 'responses must declare a success response'
  for (const [status, response] of declared) {
    if (!/^[23]\d\d$/.test(status)) return `${status} is not a success status; declare its code in errors`
    const bodies = [response.data, response.list, response.body, response.mediaType].filter(
      (schema) => schema !== undefined,
    )
    if (bodies.length > 1)
      return `the response ${status} declares more than one of data, list, body and mediaType`
    if (bodies.length > 0 && (status === '204' || status === '304')) return `${status} cannot have a body`
    if (response.list !== undefined && !isListQuery(query)) return `the list of ${status} needs a list query`
    if (response.form !== undefined && response.list === undefined)
      return `the form of ${status} needs a list`
  }
  const names = Object.keys({ ...route.headers, ...route.cookies })
  const misnamed = names.find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
  if (misnamed !== undefined) return `${misnamed} is not the name of a header or a cookie`
  if (isListQuery(query) && method !== 'GET') return 'a list query needs the method GET'
  return undefined
}
