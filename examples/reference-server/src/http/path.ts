/** The mount path of the API in links and locations; `/v1` is an alias. */
export const apiPath = '/api/v1'

/** Parsed templates of routes: texts and names alternate. */
const parsed = new Map<string, readonly string[]>()

function parseTemplate(template: string): readonly string[] {
  const known = parsed.get(template)
  if (known !== undefined) return known
  const parts = template.split(/\{(\w+)\}/)
  parsed.set(template, parts)
  return parts
}

/**
 * Formats the path of a route from its parameters. The result is the same for all spellings of a request, such as an id in
 * upper case or percent-encoded letters.
 */
export function formatPath(template: string, params: object): string {
  const values = params as Readonly<Record<string, unknown>>
  let path = ''
  for (const [index, part] of parseTemplate(template).entries())
    path += index % 2 === 0 ? part : encodeURIComponent(String(values[part]))
  return path
}
