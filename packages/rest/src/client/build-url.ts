/** The parts of an address. */
export interface UrlParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/**
 * Fills a path template, and adds the query. A parameter that is undefined is left out; an array repeats its parameter, except
 * `fields`, which is a list with commas.
 *
 * @throws TypeError for a missing path parameter, and for one that would name another path: `.` and `..`
 */
export function buildUrl(baseUrl: string, template: string, { params = {}, query = {} }: UrlParts): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`The path parameter ${name} is missing`)
    return encodeURIComponent(toText(value))
  })
  if (/\/\.\.?(?:\/|$)/.test(path)) throw new TypeError('A path parameter must not be "." or ".."')
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && name === 'fields') search.append(name, value.map(toText).join(','))
    else for (const one of [value].flat()) if (one !== undefined) search.append(name, toText(one))
  }
  const text = search.toString()
  return `${baseUrl.replace(/\/$/, '')}${path}${text === '' ? '' : `?${text}`}`
}

const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
