import { getPathNames } from '../route-path.ts'
import type { AnyRoute } from '../route.ts'

/** The deprecation of a route, for its clients. */
export interface Deprecation {
  /** When the route is or was deprecated. */
  readonly since: Date
  /** When the route stops to answer. @default unknown */
  readonly sunset?: Date
  /** A page that says what to use instead. */
  readonly link?: string
  /** The path of the newer version in the same API, such as `/v2/orders/{id}`, with parameters of the route's path. */
  readonly successor?: string
}

/**
 * Returns `Deprecation`, `Sunset` and `Link` for the responses of a deprecated route. A route with `deprecated: true` has no
 * date, so its responses have no header. `locate` fills the path of the successor.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9745
 * @see https://www.rfc-editor.org/rfc/rfc8594
 * @see https://www.rfc-editor.org/rfc/rfc5829
 */
export function createDeprecationHeaders(
  deprecated: boolean | Deprecation | undefined,
  locate: (template: string) => string,
): Readonly<Record<string, string>> {
  if (typeof deprecated !== 'object') return {}
  const { since, sunset, link, successor } = deprecated
  const links = [
    ...(link === undefined ? [] : [`<${link}>; rel="deprecation"; type="text/html"`]),
    ...(successor === undefined ? [] : [`<${locate(successor)}>; rel="successor-version"`]),
  ]
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset !== undefined && { Sunset: sunset.toUTCString() }),
    ...(links.length > 0 && { Link: links.join(', ') }),
  }
}

/** Finds the error of a deprecation; undefined if there is none. */
export function findDeprecationProblem({
  path,
  deprecated,
}: Pick<AnyRoute, 'path' | 'deprecated'>): string | undefined {
  if (typeof deprecated !== 'object') return undefined
  const { since, sunset, link, successor } = deprecated
  if (Number.isNaN(since.getTime())) return 'the deprecation needs a valid date'
  // RFC 8594, section 5: a route does not stop before it is deprecated.
  if (sunset !== undefined && !(sunset >= since)) return 'the sunset must not precede the deprecation'
  if (link !== undefined && !URL.canParse(link)) return 'the link of the deprecation must be a URL'
  const names = getPathNames(path)
  const unknown = getPathNames(successor ?? path).find((name) => !names.includes(name))
  if (unknown !== undefined) return `the successor has the parameter ${unknown}, which the path does not have`
  return undefined
}
