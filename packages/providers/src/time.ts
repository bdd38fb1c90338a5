import { z } from 'zod'

// Times in the data of events are RFC 3339 in UTC with milliseconds, however a service writes them.

/** From a text of RFC 3339. */
export const optionalTime = timeFrom(z.string(), (text) => Date.parse(text))

/** From seconds since the epoch, with or without a fraction. */
export const optionalSeconds = timeFrom(z.number(), (seconds) => Math.round(seconds * 1000))

/** From milliseconds since the epoch, or a text of RFC 3339. */
export const optionalMoment = timeFrom(z.union([z.number(), z.string()]), (moment) =>
  typeof moment === 'number' ? Math.round(moment) : Date.parse(moment),
)

/** When an event happened, for those whose service tells it. */
export function occurredAt(time: string | null): { readonly occurredAt?: number } {
  return time === null ? {} : { occurredAt: Date.parse(time) }
}

const endOfYear9999 = Date.UTC(10_000, 0)

function timeFrom<Input>(schema: z.ZodType<Input>, millisecondsOf: (input: Input) => number) {
  return schema
    .transform((input) => isoTime(millisecondsOf(input)))
    .nullable()
    .catch(null)
    .default(null)
}

/** Services write the zero time of their language where they have none, such as the year 1: that is no time. */
function isoTime(milliseconds: number): string | null {
  return milliseconds > 0 && milliseconds < endOfYear9999 ? new Date(milliseconds).toISOString() : null
}
