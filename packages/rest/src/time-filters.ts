import { comparison, type ListFilter, type ListFilterOptions } from './filters.ts'

/**
 * A filter that accepts an RFC 3339 date or date-time of at most 64 characters and keeps the rows after that instant.
 *
 * The value is RFC 3339 text in UTC with milliseconds, the format of the fields that it is compared with. Digits beyond
 * milliseconds are truncated: rows have milliseconds only.
 *
 * @example
 * ```ts
 * import { listFilter } from '@sallyport/rest'
 *
 * const createdAfter = listFilter.after('created_at')
 * ```
 */
export function afterFilter(
  field: string,
  options: Omit<ListFilterOptions, 'field'> = {},
): ListFilter<string> {
  return timeFilter('gt', { ...options, field })
}

/**
 * A filter that accepts an RFC 3339 date or date-time and keeps the rows before that instant.
 *
 * The value has the format of {@link listFilter.after}. An instant between two milliseconds is rounded up, so that the rows of
 * the earlier millisecond match.
 */
export function beforeFilter(
  field: string,
  options: Omit<ListFilterOptions, 'field'> = {},
): ListFilter<string> {
  return timeFilter('lt', { ...options, field })
}

function timeFilter(op: 'gt' | 'lt', options: ListFilterOptions): ListFilter<string> {
  // OpenAPI has no format for "date or date-time".
  const schema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt].+)?$', maxLength }
  const side = op === 'gt' ? 'after' : 'before'
  const description = `Keeps the items ${side} this RFC 3339 date-time, exclusive. A date is its first instant in UTC.`
  return comparison(op, { description, ...options }, schema, (text) => {
    const time = text.length > maxLength ? undefined : parseRfc3339(text)
    if (time !== undefined) return { value: (op === 'lt' ? roundUp(time, text) : time).toISOString() }
    const length = text.length > maxLength ? `, of at most ${maxLength} characters` : ''
    const hint = text.includes(' ') ? '; encode + as %2B' : ''
    const problem = `Must be an RFC 3339 date or date-time, such as 2026-01-31T12:00:00Z${length}${hint}`
    return { problem, code: 'INVALID_FORMAT' }
  })
}

/** In characters. The digits of a fraction are otherwise unbounded, and links to other pages repeat them. */
const maxLength = 64

/** The last millisecond that RFC 3339 can represent. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Rounds up to the next millisecond if the text has non-zero digits beyond milliseconds. */
function roundUp(time: Date, text: string): Date {
  return /\.\d{3}\d*[1-9]/.test(text) ? new Date(Math.min(time.getTime() + 1, lastTime)) : time
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2})))?$/

/**
 * Parses an RFC 3339 `full-date` (its first instant in UTC) or `date-time`.
 *
 * Digits beyond milliseconds are truncated. Leap seconds are rejected because a `Date` cannot represent them.
 *
 * @returns the instant; `undefined` for other text, for a day that does not exist, and for years before 1 in UTC, which
 *   databases reject
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export function parseRfc3339(text: string): Date | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const number = (group: number) => Number(match[group] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as DateTime
  const offset = (match[9] === '-' ? -1 : 1) * (number(10) * 60 + number(11))
  if (hour > 23 || minute > 59 || second > 59 || number(10) > 23 || number(11) > 59) return undefined

  const date = new Date(0)
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  date.setUTCFullYear(year, month - 1, day)
  // Date carries a day or month that does not exist over into another month.
  if (date.getUTCMonth() !== month - 1) return undefined
  date.setUTCHours(hour, minute - offset, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  // An offset can move 9999-12-31 past the last year of RFC 3339, or 0001-01-01 before the first year of databases.
  const utcYear = date.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : date
}

type DateTime = [number, number, number, number, number, number]
