import { optionalValue } from './fields.ts'

// Times in event data are RFC 3339 in UTC with milliseconds.

/** Parses RFC 3339 text. */
export const optionalTime = optionalValue(parseTime)

/** Converts seconds since the epoch, with or without a fraction. */
export const optionalSeconds = optionalValue((input) =>
  typeof input === 'number' ? isoTime(Math.round(input * 1000)) : null,
)

/** Converts milliseconds since the epoch, or RFC 3339 text. */
export const optionalMoment = optionalValue((input) =>
  typeof input === 'number' ? isoTime(Math.round(input)) : parseTime(input),
)

/** The `occurredAt` field of an event with a known time. */
export function occurredAt(time: string | null): { readonly occurredAt?: number } {
  return time === null ? {} : { occurredAt: Date.parse(time) }
}

const endOfYear9999 = Date.UTC(10_000, 0)

function parseTime(input: unknown): string | null {
  return typeof input === 'string' ? isoTime(Date.parse(input)) : null
}

/** Rejects times before 1970, such as the zero time that some services send for a missing time. */
function isoTime(milliseconds: number): string | null {
  return milliseconds > 0 && milliseconds < endOfYear9999 ? new Date(milliseconds).toISOString() : null
}
