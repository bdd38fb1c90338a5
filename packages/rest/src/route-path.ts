import { SallyportError } from '@sallyport/errors'

/** The parameter names of a path template, such as `'id'` of `/users/{id}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** One segment of a path template. */
export type TemplateSegment =
  { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'parameter'; readonly name: string }

/**
 * Parses a path template into segments.
 *
 * @throws TypeError for a template other than `/` or literal and `{parameter}` segments, and for a repeated parameter
 */
export function parseTemplate(template: string): readonly TemplateSegment[] {
  if (template === '/') return []
  if (!template.startsWith('/')) throw new TypeError(`The path ${template} must start with a slash`)
  const segments = template
    .slice(1)
    .split('/')
    .map((text): TemplateSegment => {
      const name = /^\{([a-z][A-Za-z0-9_]*)\}$/.exec(text)?.[1]
      if (name !== undefined) return { kind: 'parameter', name }
      if (/^[A-Za-z0-9._~-]+$/.test(text)) return { kind: 'literal', text }
      throw new TypeError(
        `The segment "${text}" of the path ${template} is neither a literal nor a {parameter}`,
      )
    })
  const names = segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []))
  if (new Set(names).size !== names.length) throw new TypeError(`The path ${template} repeats a parameter`)
  return segments
}

/**
 * Splits the path of a request into decoded segments.
 *
 * @throws SallyportError `URI_TOO_LONG` (414) over `maxLength` characters; `BAD_REQUEST` (400) for a path that is not
 * absolute, is not valid percent-encoded UTF-8, or contains NUL
 */
export function splitPath(path: string, maxLength: number): readonly string[] {
  if (path.length > maxLength) {
    throw new SallyportError('URI_TOO_LONG', `The path is longer than ${maxLength} characters`)
  }
  if (!path.startsWith('/')) throw new SallyportError('BAD_REQUEST', 'The path must start with a slash')
  if (path === '/') return []
  return path.slice(1).split('/').map(decodeSegment)
}

function decodeSegment(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text)
  } catch (cause) {
    throw new SallyportError('BAD_REQUEST', 'The path is not valid percent-encoded UTF-8', { cause })
  }
  if (decoded.includes('\0')) throw new SallyportError('BAD_REQUEST', 'The path contains a NUL character')
  return decoded
}

/**
 * Formats the path of a route from its parameters. The result is the same for all spellings of a request, such as an id in
 * upper case or percent-encoded letters.
 */
export function formatPath(segments: readonly TemplateSegment[], params: object): string {
  const values = params as Readonly<Record<string, unknown>>
  let path = ''
  for (const segment of segments)
    path +=
      segment.kind === 'literal' ? `/${segment.text}` : `/${encodeURIComponent(String(values[segment.name]))}`
  return path === '' ? '/' : path
}
