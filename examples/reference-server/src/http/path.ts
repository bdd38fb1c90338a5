/** What links and locations have in front of a route's path; the other prefixes are aliases of it. */
export const apiPath = '/api/v1'

/** The templates of routes, of which there are few, taken apart: texts and names take turns. */
const apart = new Map<string, readonly string[]>()

function takenApart(template: string): readonly string[] {
  const known = apart.get(template)
  if (known !== undefined) return known
  const parts = template.split(/\{(\w+)\}/)
  apart.set(template, parts)
  return parts
}

/**
 * The path that a route's template and the values of its parameters make: the same for every spelling that a request may
 * have, of an id in capitals or of letters that are percent-encoded.
 */
export function pathOf(template: string, params: object): string {
  const values = params as Readonly<Record<string, unknown>>
  let path = ''
  for (const [index, part] of takenApart(template).entries())
    path += index % 2 === 0 ? part : encodeURIComponent(String(values[part]))
  return path
}
