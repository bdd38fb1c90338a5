import { comparison, type Filter, type FilterOptions } from './filters.ts'
import { parseTime } from './time.ts'

/**
 * A filter that takes an RFC 3339 date or date-time, of at most 64 characters, and keeps the rows after it, that instant
 * excluded.
 *
 * The value is RFC 3339 text in UTC with milliseconds, the form of the fields that it is compared with. What is finer is
 * cut off: no row lies in between.
 *
 * @example
 * ```ts
 * import { afterFilter } from '@sallyport/rest'
 *
 * const createdAfter = afterFilter('created_at')
 * ```
 */
export function afterFilter(field: string, options: Omit<FilterOptions, 'field'> = {}): Filter<string> {
  return timeFilter('gt', { ...options, field })
}

/**
 * A filter that takes an RFC 3339 date or date-time and keeps the rows before it, that instant excluded.
 *
 * The value is that of {@link afterFilter}; an instant between two milliseconds is the later of them, so that the rows
 * of the earlier one are before it.
 */
export function beforeFilter(field: string, options: Omit<FilterOptions, 'field'> = {}): Filter<string> {
  return timeFilter('lt', { ...options, field })
}

function timeFilter(op: 'gt' | 'lt', options: FilterOptions): Filter<string> {
  // OpenAPI has no format for "a date or a date-time".
  const schema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt].+)?$', maxLength }
  const side = op === 'gt' ? 'after' : 'before'
  const description = `Keeps the items ${side} this RFC 3339 date-time, exclusive; a date is its first instant in UTC.`
  return comparison(op, { description, ...options }, schema, (text) => {
    const time = text.length > maxLength ? undefined : parseTime(text)
    if (time !== undefined) return { value: (op === 'lt' ? roundedUp(time, text) : time).toISOString() }
    const length = text.length > maxLength ? `, of at most ${maxLength} characters` : ''
    const hint = text.includes(' ') ? '; a + has to be sent as %2B' : ''
    return { problem: `Must be an RFC 3339 date or date-time, such as 2026-01-31T12:00:00Z${length}${hint}` }
  })
}

/** In characters. Digits of a fraction have no end, and links to other pages repeat them all. */
const maxLength = 64

/** The last instant that RFC 3339 can write to the millisecond. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The next millisecond of a time whose text has more digits than were read, unless they are zeros. */
function roundedUp(time: Date, text: string): Date {
  return /\.\d{3}\d*[1-9]/.test(text) ? new Date(Math.min(time.getTime() + 1, lastTime)) : time
}
