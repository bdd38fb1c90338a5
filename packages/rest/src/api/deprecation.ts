/** The deprecation of a route, for its clients. */
export interface Deprecation {
  /** When the route is or was deprecated. */
  readonly since: Date
  /** When the route stops to answer. @default unknown */
  readonly sunset?: Date
  /** A page that says what to use instead. */
  readonly link?: string
}

/**
 * Returns `Deprecation`, `Sunset` and `Link` for the responses of a deprecated route. A route with `deprecated: true` has no
 * date, so its responses have no header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9745
 * @see https://www.rfc-editor.org/rfc/rfc8594
 */
export function createDeprecationHeaders(
  deprecated: boolean | Deprecation | undefined,
): Readonly<Record<string, string>> {
  if (typeof deprecated !== 'object') return {}
  const { since, sunset, link } = deprecated
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset !== undefined && { Sunset: sunset.toUTCString() }),
    ...(link !== undefined && { Link: `<${link}>; rel="deprecation"; type="text/html"` }),
  }
}

/** Finds the error of a deprecation; undefined if there is none. */
export function findDeprecationProblem(deprecated: boolean | Deprecation | undefined): string | undefined {
  if (typeof deprecated !== 'object') return undefined
  const { since, sunset, link } = deprecated
  if (Number.isNaN(since.getTime())) return 'the deprecation needs a valid date'
  // RFC 8594, section 5: a route does not stop before it is deprecated.
  if (sunset !== undefined && !(sunset >= since)) return 'the sunset must not precede the deprecation'
  if (link !== undefined && !URL.canParse(link)) return 'the link of the deprecation must be a URL'
  return undefined
}
