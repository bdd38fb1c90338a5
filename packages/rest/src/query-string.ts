import { SallyportError, type ErrorDetail } from '@sallyport/errors'

/** How much of a query string is read at all. */
export interface QueryBounds {
  /**
   * Characters of the query string as it was sent, without its `?`.
   *
   * @default 8192
   */
  readonly maxQueryLength?: number
  /** @default 64 */
  readonly maxParameters?: number
}

export interface ReadQuery {
  readonly values: ReadonlyMap<string, string>
  /** What is wrong with the parameters as such: given twice, badly encoded, holding NUL. */
  readonly problems: readonly ErrorDetail[]
}

export const defaultBounds: Required<QueryBounds> = { maxQueryLength: 8192, maxParameters: 64 }

/**
 * Reads a query string strictly: each parameter once, valid percent-encoding, no NUL.
 *
 * Takes the text after the `?` (with or without it), or a `URLSearchParams`, which has already replaced bad
 * encoding by U+FFFD: pass the text where you have it.
 *
 * @throws SallyportError `URI_TOO_LONG` (414) over `maxQueryLength`, `BAD_REQUEST` (400) over `maxParameters`
 */
export function readQuery(
  input: string | URLSearchParams,
  { maxQueryLength, maxParameters }: Required<QueryBounds> = defaultBounds,
): ReadQuery {
  const pairs = typeof input === 'string' ? splitQuery(input, maxQueryLength) : [...input]
  if (pairs.length > maxParameters) {
    throw new SallyportError('BAD_REQUEST', `The query has more than ${maxParameters} parameters`)
  }
  const values = new Map<string, string>()
  const problems = new Map<string, string>()
  for (const [rawName, rawValue] of pairs) {
    const name = typeof input === 'string' ? decode(rawName) : rawName
    const value = typeof input === 'string' ? decode(rawValue) : rawValue
    if (name === undefined || value === undefined) {
      problems.set(shorten(name ?? rawName), 'Is not valid percent-encoded UTF-8')
    } else if (name.includes('\0') || value.includes('\0')) {
      problems.set(shorten(name.replaceAll('\0', '')), 'Holds a NUL character')
    } else if (values.has(name)) {
      problems.set(shorten(name), 'Is given more than once')
    } else {
      values.set(name, value)
    }
  }
  return { values, problems: [...problems].map(([field, message]) => ({ field, message })) }
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

/** A parameter's name as it is shown in an error: a caller's own text, bounded. */
export function shorten(name: string): string {
  const [start = ''] = /^.{0,64}/su.exec(name) ?? []
  return start.length < name.length ? `${start}…` : name
}
