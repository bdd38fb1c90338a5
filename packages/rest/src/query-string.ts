import { SallyportError, type ErrorDetail } from '@sallyport/errors'

/** Limits on the size of a query string. */
export interface QueryLimits {
  /**
   * Characters of the query string as sent, without the `?`.
   *
   * @default 8192
   */
  readonly maxQueryLength?: number
  /** @default 64 */
  readonly maxParameters?: number
}

export interface ParsedQuery {
  readonly values: ReadonlyMap<string, string>
  /** The texts of the parameters that may repeat. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** Problems of the parameters: repeated, badly encoded or with a NUL character. */
  readonly problems: readonly ErrorDetail[]
}

export const defaultQueryLimits: Required<QueryLimits> = { maxQueryLength: 8192, maxParameters: 64 }

/**
 * Parses a query string strictly: each parameter once unless `isList` accepts its name, valid percent-encoding, no NUL.
 *
 * Accepts the text after the `?` (with or without the `?`), or a `URLSearchParams`. Prefer the text: `URLSearchParams`
 * has already replaced bad encoding by U+FFFD.
 *
 * @throws SallyportError `URI_TOO_LONG` (414) over `maxQueryLength`, `BAD_REQUEST` (400) over `maxParameters`
 */
export function parseQueryString(
  input: string | URLSearchParams,
  { maxQueryLength, maxParameters }: Required<QueryLimits> = defaultQueryLimits,
  isList: (name: string) => boolean = () => false,
): ParsedQuery {
  const pairs = typeof input === 'string' ? splitQuery(input, maxQueryLength) : [...input]
  if (pairs.length > maxParameters) {
    throw new SallyportError('BAD_REQUEST', `The query has more than ${maxParameters} parameters`)
  }
  const values = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  const problems = new Map<string, Omit<ErrorDetail, 'field' | 'in'>>()
  for (const [rawName, rawValue] of pairs) {
    const name = typeof input === 'string' ? decode(rawName) : rawName
    const value = typeof input === 'string' ? decode(rawValue) : rawValue
    if (name === undefined || value === undefined) {
      problems.set(shorten(name ?? rawName), {
        code: 'INVALID_ENCODING',
        message: 'Must be valid percent-encoded UTF-8',
      })
    } else if (name.includes('\0') || value.includes('\0')) {
      problems.set(shorten(name.replaceAll('\0', '')), {
        code: 'INVALID_ENCODING',
        message: 'Must not contain a NUL character',
      })
    } else if (isList(name)) {
      lists.set(name, [...(lists.get(name) ?? []), value])
    } else if (values.has(name)) {
      problems.set(shorten(name), { code: 'DUPLICATE', message: 'Must be given only once' })
    } else {
      values.set(name, value)
    }
  }
  return {
    values,
    lists,
    problems: [...problems].map(([field, problem]) => ({ ...problem, field, in: 'query' })),
  }
}

function splitQuery(input: string, maxLength: number): [string, string][] {
  const text = input.replace(/^\?/, '')
  if (text.length > maxLength) {
    throw new SallyportError('URI_TOO_LONG', `The query is longer than ${maxLength} characters`)
  }
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    })
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Shortens the name of a parameter for an error message. */
export function shorten(name: string): string {
  const [start = ''] = /^.{0,64}/su.exec(name) ?? []
  return start.length < name.length ? `${start}…` : name
}
