import { isRequestBody } from './api/request-body.ts'
import { isListQuery } from './check-route.ts'
import { readQuerySchema } from './parameter-schemas.ts'
import { getPathNames } from './route-path.ts'
import type { AnyRoute, ResponseLink } from './route.ts'

/**
 * Checks the links of routes that form one API.
 *
 * @throws TypeError for a link to an operation or a parameter that does not exist, a link without a parameter of the path, or an
 *   invalid expression
 */
export function requireLinks(routes: readonly AnyRoute[]): void {
  for (const route of routes) {
    for (const [name, link] of Object.entries(route.links ?? {})) {
      const target = routes.find(({ operationId }) => operationId === link.operationId)
      const problem = /^[\w.-]+$/.test(name) ? findProblem(route, link, target) : 'needs another name'
      if (problem !== undefined) throw new TypeError(`${route.operationId}: the link ${name} ${problem}`)
    }
  }
}

function findProblem(
  route: AnyRoute,
  { operationId, parameters = {} }: ResponseLink,
  target: AnyRoute | undefined,
): string | undefined {
  if (target === undefined) return `has the unknown operation ${operationId}`
  const names = Object.keys(parameters)
  const unknown = names.find((name) => !hasParameter(target, name))
  if (unknown !== undefined) return `has the parameter ${unknown}, which ${operationId} does not have`
  const missing = getPathNames(target.path).find((name) => !names.includes(name))
  if (missing !== undefined) return `needs the parameter ${missing} of ${operationId}`
  const invalid = Object.values(parameters).find((value) => !isResolvable(route, value))
  return invalid === undefined ? undefined : `has the expression ${invalid}, which has no value`
}

function hasParameter(route: AnyRoute, name: string): boolean {
  const { query, headers, cookies } = route
  return (
    getPathNames(route.path).includes(name) ||
    Object.hasOwn({ ...headers, ...cookies }, name) ||
    hasQueryParameter(query, name)
  )
}

function hasQueryParameter(query: AnyRoute['query'], name: string): boolean {
  if (query === undefined) return false
  if (isListQuery(query)) return query.parameters.some((parameter) => parameter.name === name)
  const { declared, others } = readQuerySchema(query)
  return declared.has(name) || others !== undefined
}

/** Whether a value is a constant or an expression: https://spec.openapis.org/oas/v3.1.1#runtime-expressions */
function isResolvable(route: AnyRoute, value: string): boolean {
  if (!value.startsWith('$') || ['$url', '$method', '$statusCode'].includes(value)) return true
  const [, side, pointer = ''] = /^\$(request|response)\.body(?:#(.*))?$/.exec(value) ?? []
  if (side !== undefined) return hasJson(route, side) && isPointer(pointer)
  const [, source, name = ''] =
    /^\$(request\.path|request\.query|request\.header|response\.header)\.(.+)$/.exec(value) ?? []
  if (source === 'request.path') return getPathNames(route.path).includes(name)
  if (source === 'request.query') return hasQueryParameter(route.query, name)
  return source !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

function hasJson({ body, responses }: AnyRoute, side: string): boolean {
  if (side === 'request') return body !== undefined && !isRequestBody(body)
  return Object.values(responses).every(({ data, list, body }) => (data ?? list ?? body) !== undefined)
}

/** Whether a text is a JSON pointer: RFC 6901. */
const isPointer = (text: string): boolean => (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text)
