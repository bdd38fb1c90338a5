import { findDeprecationProblem } from './api/deprecation.ts'
import { isRequestBody } from './api/request-body.ts'
import type { ListQueryDefinition } from './list-query.ts'
import { getStreamFormat } from './media-type.ts'
import { parseTemplate } from './route-path.ts'
import type { AnyRoute, RouteMethod, RouteQuery } from './route.ts'

/**
 * Returns a route that can be routed, enforced and documented.
 *
 * @throws TypeError for a contradictory declaration, or an unknown method or access
 */
export function checkRoute<const R extends AnyRoute>(route: R): R {
  const problem = findContradiction(route)
  if (problem !== undefined) throw new TypeError(`${route.operationId}: ${problem}`)
  parseTemplate(route.path)
  return route
}

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
    const { data, list, body: bare, events, lines, mediaType } = response
    const bodies = [data, list, bare, events, lines, mediaType].filter((schema) => schema !== undefined)
    if (bodies.length > 1)
      return `the response ${status} declares more than one of data, list, body, events, lines and mediaType`
    if (route.etag === true && getStreamFormat(response) !== undefined)
      return `the stream of ${status} has no ETag: set etag to false`
    if (bodies.length > 0 && (status === '204' || status === '304')) return `${status} cannot have a body`
    if (response.list !== undefined && !isListQuery(query)) return `the list of ${status} needs a list query`
    if (response.form !== undefined && response.list === undefined)
      return `the form of ${status} needs a list`
  }
  const names = Object.keys({ ...route.headers, ...route.cookies })
  const misnamed = names.find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
  if (misnamed !== undefined) return `${misnamed} is not the name of a header or a cookie`
  if (isListQuery(query) && method !== 'GET') return 'a list query needs the method GET'
  return findDeprecationProblem(route)
}
