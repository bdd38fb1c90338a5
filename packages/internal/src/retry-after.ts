/**
 * Parses `Retry-After`, in seconds or as a date, into milliseconds.
 *
 * @param now milliseconds since the epoch
 * @returns undefined for a missing or unreadable value, and for a time in the past
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? wait : undefined
}
