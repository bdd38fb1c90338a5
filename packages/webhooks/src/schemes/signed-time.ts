import { letGo } from '../internal/maybe-promise.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import { refusal, type Refusal, type SignedStamp } from './proof.ts'

/** Where a service writes the time of a delivery, and how far it may be from the gateway's. */
export interface SignedTimeOptions {
  /**
   * The header of its own that carries it.
   *
   * @default none: the structured header of the signatures carries it, or the body
   */
  readonly header?: string
  /**
   * Finds it in the body, for services that write it there; asked only once the signature holds. Never async: a promise is
   * `PROVIDER_UNAVAILABLE` (503).
   */
  readonly fromBody?: (body: Uint8Array) => unknown
  /** Seconds or milliseconds since the epoch, or a date and time such as `2026-01-01T00:00:00Z`. @default 's' */
  readonly unit?: 's' | 'ms' | 'rfc3339'
  /** Seconds that it may lie in the past or in the future. @default 300 */
  readonly toleranceSeconds?: number
}

/**
 * A time in the signed content, so that a captured delivery verifies for as long as the tolerance only.
 *
 * One form is accepted: decimal digits without sign, fraction, exponent or leading zero; for `rfc3339` a full date and
 * time with an offset. Both edges of the tolerance are inside; seconds are compared in whole ones. The text goes into
 * the signed content as it came.
 *
 * @throws TypeError when the tolerance is not a positive number of seconds
 *
 * @example
 * ```ts
 * import { hmac, signedTime } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: 'x-slack-signature',
 *   prefix: 'v0=',
 *   timestamp: signedTime({ header: 'x-slack-request-timestamp' }),
 *   content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
 * })
 * ```
 */
export function signedTime(options: SignedTimeOptions = {}): SignedStamp {
  const { fromBody, unit = 's', toleranceSeconds = 300 } = options
  const header = options.header?.toLowerCase()
  if (!(toleranceSeconds > 0 && Number.isFinite(toleranceSeconds))) {
    throw new TypeError('The tolerance of a timestamp is a positive number of seconds')
  }
  const refuses = (text: string, now: number): Refusal | undefined => {
    const at = millisecondsOf(text, unit)
    if (at === undefined) return refusal('malformed')
    // What is written in whole seconds is as old as they are: the clock's fraction of one would make it older.
    const present = unit === 's' ? Math.floor(now / 1000) * 1000 : now
    return Math.abs(present - at) <= toleranceSeconds * 1000 ? undefined : refusal('expired')
  }

  if (fromBody !== undefined) {
    return {
      read: () => '',
      make: () => '',
      refuses: (body, now) => refuses(textOf(fromBody, body), now),
    }
  }
  return {
    ...(header !== undefined && { header }),
    read(headers, presented, now) {
      const text = header === undefined ? presented.timestamp : headers.get(header)
      if (text === null || text === undefined) return refusal('missing')
      return refuses(text, now) ?? text
    },
    make(_, now) {
      if (unit === 'rfc3339') return new Date(now).toISOString()
      return String(Math.floor(unit === 's' ? now / 1000 : now))
    },
  }
}

/** Empty for a body that has no time, or cannot be read. */
function textOf(find: (body: Uint8Array) => unknown, body: Uint8Array): string {
  let found: unknown
  try {
    found = find(body)
  } catch {
    return ''
  }
  if (letGo(found))
    throw providerUnavailable('The time of this provider is not found at once, but by a promise')
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

const digits = /^[1-9]\d{0,14}$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function millisecondsOf(text: string, unit: 's' | 'ms' | 'rfc3339'): number | undefined {
  if (unit !== 'rfc3339') return digits.test(text) ? Number(text) * (unit === 's' ? 1000 : 1) : undefined
  const at = dateTime.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at) ? undefined : at
}
