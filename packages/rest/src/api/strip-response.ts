import type { EventStreamBody } from '../event-stream/event-stream-body.ts'
import type { AnyRouteResult } from '../route-binding.ts'
import type { AnyRoute, ResponseDeclaration } from '../route.ts'
import { createStrip, type Strip } from './strip-schema.ts'

/**
 * Creates the function that removes undeclared fields from the results of a route.
 *
 * @returns undefined if a schema of the route has no JSON Schema
 */
export function createResponseStrip(
  route: AnyRoute,
): ((result: AnyRouteResult) => AnyRouteResult) | undefined {
  const strips = new Map<number, Strip>()
  for (const [status, response] of Object.entries(route.responses)) {
    const { data, list, body, events, lines } = response
    const schema = data ?? list ?? body ?? events ?? lines
    if (schema === undefined) continue
    const strip = createStrip(schema)
    if (strip === undefined) return undefined
    strips.set(Number(status), (value) => stripBody(response, value, strip))
  }
  return (result) => {
    const strip = strips.get(result.status)
    return strip === undefined ? result : { ...result, body: strip(result.body) }
  }
}

function stripBody({ data, list, body }: ResponseDeclaration, value: unknown, strip: Strip): unknown {
  if (body !== undefined) return strip(value)
  if (data !== undefined) return { data: strip((value as { readonly data: unknown }).data) }
  if (list === undefined) {
    const stream = value as EventStreamBody<unknown>
    const open: EventStreamBody<unknown>['encode'] = (encoding) =>
      stream.encode({ ...encoding, check: (event) => Promise.resolve(strip(event)) })
    return { encode: open }
  }
  if (Array.isArray(value)) return value.map(strip)
  const { data: rows, meta } = value as { readonly data: readonly unknown[]; readonly meta: unknown }
  return { data: rows.map(strip), meta }
}

/**
 * Creates the function that finds how the resource of a route is sent, on which its ETag depends: as by the GET of the same
 * path, otherwise as by the route.
 */
export function createRepresentations(routes: readonly AnyRoute[]): (route: AnyRoute) => Strip | undefined {
  const reads = routes.filter(({ method }) => method === 'GET')
  const byPath = new Map(reads.map((route) => [route.path, createResourceStrip(route)]))
  return (route) => byPath.get(route.path) ?? createResourceStrip(route)
}

function createResourceStrip({ responses }: AnyRoute): Strip | undefined {
  const [schema] = Object.values(responses).flatMap(({ data }) => data ?? [])
  return schema && createStrip(schema)
}
