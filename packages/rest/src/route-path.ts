import { SallyportError } from '@sallyport/errors'

/** The parameter names of a path template, such as `'id'` of `/users/{id}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** Returns the names of the parameters of a path template. */
export const getPathNames = (template: string): readonly string[] =>
  parseTemplate(template).flatMap((segment) => (segment.kind === 'parameter' ? segment.name : []))

/** One segment of a path template. A parameter may be between texts, such as `{id}:publish`. */
export type TemplateSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly prefix: string; readonly suffix: string }

/** The characters of a segment that are not percent-encoded: RFC 3986, section 3.3. Express writes a parameter as `:id`. */
const literal = /^(?!:)[\w.~!$&'()*+,;=:@-]+$/

/** The text after a parameter begins with a character that no percent-encoded octet ends with. */
const parameter =
  /^([\w.~!$&'()*+,;=:@-]*)\{([a-z][A-Za-z0-9_]*)\}((?:[.~!$&'()*+,;=:@_-][\w.~!$&'()*+,;=:@-]*)?)$/

/**
 * Parses a path template into segments.
 *
 * @throws TypeError for a template other than `/` or segments that are literals, a `{parameter}`, or a parameter with a text
 * before it or a text such as `:publish` or `.json` after it; and for a repeated parameter
 */
export function parseTemplate(template: string): readonly TemplateSegment[] {
  if (template === '/') return []
  if (!template.startsWith('/')) throw new TypeError(`The path ${template} must start with a slash`)
  const segments = template
    .slice(1)
    .split('/')
    .map((text): TemplateSegment => {
      const [, prefix = '', name, suffix = ''] = parameter.exec(text) ?? []
      if (name !== undefined) return { kind: 'parameter', name, prefix, suffix }
      if (literal.test(text)) return { kind: 'literal', text }
      throw new TypeError(
        `The segment "${text}" of the path ${template} is neither a literal nor a {parameter}`,
      )
    })
  const names = segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []))
  if (new Set(names).size !== names.length) throw new TypeError(`The path ${template} repeats a parameter`)
  return segments
}

/** A segment of a requested path, as sent and decoded. */
export interface PathSegment {
  readonly raw: string
  readonly text: string
}

/**
 * Splits the path of a request into segments.
 *
 * @throws SallyportError `URI_TOO_LONG` (414) over `maxLength` characters; `BAD_REQUEST` (400) for a path that is not
 * absolute, is not valid percent-encoded UTF-8, or contains NUL
 */
export function splitPath(path: string, maxLength: number): readonly PathSegment[] {
  if (path.length > maxLength) {
    throw new SallyportError('URI_TOO_LONG', `The path is longer than ${maxLength} characters`)
  }
  if (!path.startsWith('/')) throw new SallyportError('BAD_REQUEST', 'The path must start with a slash')
  if (path === '/') return []
  return path
    .slice(1)
    .split('/')
    .map((raw) => ({ raw, text: decodeSegment(raw) }))
}

export function decodeSegment(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text)
  } catch (cause) {
    throw new SallyportError('BAD_REQUEST', 'The path is not valid percent-encoded UTF-8', { cause })
  }
  if (decoded.includes('\0')) throw new SallyportError('BAD_REQUEST', 'The path contains a NUL character')
  return decoded
}

/** Reports whether `formatPath` keeps an ASCII character of a value. */
export function isUnencoded(character: string): boolean {
  return encodeURIComponent(character) === character
}

/** Decodes the octets of the characters that `formatPath` keeps, so that all spellings of a text are one. */
export function decodeUnencoded(raw: string): string {
  return raw.replaceAll(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCodePoint(Number.parseInt(octet.slice(1), 16))
    return isUnencoded(character) ? character : octet
  })
}

/**
 * Formats the path of a route from its parameters. The result is the same for all spellings of a request, such as an id in
 * upper case or percent-encoded letters.
 */
export function formatPath(segments: readonly TemplateSegment[], params: object): string {
  const values = params as Readonly<Record<string, unknown>>
  let path = ''
  for (const segment of segments) {
    if (segment.kind === 'literal') path += `/${segment.text}`
    else path += `/${segment.prefix}${encodeURIComponent(String(values[segment.name]))}${segment.suffix}`
  }
  return path === '' ? '/' : path
}
