import { optionalValue } from './fields.ts'

// Times in the data of events are RFC 3339 in UTC with milliseconds, however a service writes them.

/** From a text of RFC 3339. */
export const optionalTime = optionalValue(timeOf)

/** From seconds since the epoch, with or without a fraction. */
export const optionalSeconds = optionalValue((input) =>
  typeof input === 'number' ? isoTime(Math.round(input * 1000)) : null,
)

/** From milliseconds since the epoch, or a text of RFC 3339. */
export const optionalMoment = optionalValue((input) =>
  typeof input === 'number' ? isoTime(Math.round(input)) : timeOf(input),
)

/** When an event happened, for those whose service tells it. */
export function occurredAt(time: string | null): { readonly occurredAt?: number } {
  return time === null ? {} : { occurredAt: Date.parse(time) }
}

const endOfYear9999 = Date.UTC(10_000, 0)

function timeOf(input: unknown): string | null {
  return typeof input === 'string' ? isoTime(Date.parse(input)) : null
}

/** Services write the zero time of their language where they have none, such as the year 1: that is no time. */
function isoTime(milliseconds: number): string | null {
  return milliseconds > 0 && milliseconds < endOfYear9999 ? new Date(milliseconds).toISOString() : null
}
