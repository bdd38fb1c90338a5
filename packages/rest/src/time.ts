const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2})))?$/

/**
 * Reads an RFC 3339 `full-date` (taken as its first instant, UTC) or `date-time`.
 *
 * A fraction may have any number of digits; what is finer than a millisecond is cut off. Leap seconds, which JavaScript's
 * time cannot hold, are refused.
 *
 * @returns the instant, or `undefined` when the text is neither, names no real day, or is of a year before 1 in UTC, which
 *   databases refuse
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 *
 * @example
 * ```ts
 * import { parseTime } from '@sallyport/rest'
 *
 * parseTime('2026-01-31T12:00:00+01:00')?.toISOString() // '2026-01-31T11:00:00.000Z'
 * parseTime('2026-02-30') // undefined
 * ```
 */
export function parseTime(text: string): Date | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const number = (group: number) => Number(match[group] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as DateTime
  const offset = (match[9] === '-' ? -1 : 1) * (number(10) * 60 + number(11))
  if (hour > 23 || minute > 59 || second > 59 || number(10) > 23 || number(11) > 59) return undefined

  const date = new Date(0)
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  date.setUTCFullYear(year, month - 1, day)
  // A day or month that does not exist is carried over into another month.
  if (date.getUTCMonth() !== month - 1) return undefined
  date.setUTCHours(hour, minute - offset, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  // An offset can carry the last day of the year 9999 beyond what RFC 3339 can write; before the year 1 are years that
  // databases do not have, or write otherwise.
  const utcYear = date.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : date
}

type DateTime = [number, number, number, number, number, number]
