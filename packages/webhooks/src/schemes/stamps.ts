import { ignoreRejection } from '@sallyport/internal/promises'
import { providerUnavailable } from '../ports/refusals.ts'
import { refusal, type Refusal, type SignedStamp } from './proof.ts'

/** The place, format and tolerance of the signed time. */
export interface SignedTimeOptions {
  /**
   * The header of the time.
   *
   * @default the structured header of the signatures, or the body
   */
  readonly header?: string
  /**
   * Reads the time from the body. The scheme calls the function after the signature is verified. A promise causes
   * `PROVIDER_UNAVAILABLE` (503).
   */
  readonly fromBody?: (body: Uint8Array) => unknown
  /**
   * Seconds, milliseconds or nanoseconds since the epoch, or a date and time such as `2026-01-01T00:00:00Z`. A date without
   * an offset is UTC.
   *
   * @default 's'
   */
  readonly unit?: 's' | 'ms' | 'ns' | 'rfc3339'
  /** The maximum difference to the clock, in seconds. An endpoint can have a separate one. @default 300 */
  readonly toleranceSeconds?: number
}

/**
 * A time in the signed content, so that a captured delivery verifies for as long as the tolerance only.
 *
 * One form is accepted: decimal digits without sign, fraction, exponent or leading zero; for `rfc3339` a full date and
 * time. Both edges of the tolerance are valid. Seconds are compared as whole numbers. The signed
 * content contains the unchanged text.
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
  const refuses = (text: string, now: number, tolerance = toleranceSeconds): Refusal | undefined => {
    const at = parseTime(text, unit)
    if (at === undefined) return refusal('malformed')
    // A time in whole seconds must not become older by the fraction of the clock.
    const present = unit === 's' ? Math.floor(now / 1000) * 1000 : now
    return Math.abs(present - at) <= tolerance * 1000 ? undefined : refusal('expired')
  }

  if (fromBody !== undefined) {
    return {
      time: options,
      read: () => '',
      make: () => '',
      refuses: ({ body, toleranceSeconds: own }, now) => refuses(readBodyTime(fromBody, body), now, own),
    }
  }
  return {
    ...(header !== undefined && { header }),
    time: options,
    read({ headers, toleranceSeconds: own }, presented, now) {
      const text = header === undefined ? presented.timestamp : headers.get(header)
      if (text === null || text === undefined) return refusal('missing')
      return refuses(text, now, own) ?? text
    },
    make(_, now) {
      if (unit === 'rfc3339') return new Date(now).toISOString()
      if (unit === 'ns') return `${Math.floor(now)}000000`
      return String(Math.floor(unit === 's' ? now / 1000 : now))
    },
  }
}

/** Returns an empty text for a body without a time. */
function readBodyTime(find: (body: Uint8Array) => unknown, body: Uint8Array): string {
  let found: unknown
  try {
    found = find(body)
  } catch {
    return ''
  }
  if (ignoreRejection(found)) throw providerUnavailable('`fromBody` of this provider returned a promise')
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

const digits = /^[1-9]\d{0,14}$/
const nanoseconds = /^[1-9]\d{6,20}$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/

function parseTime(text: string, unit: 's' | 'ms' | 'ns' | 'rfc3339'): number | undefined {
  if (unit === 'ns') return nanoseconds.test(text) ? Number(text.slice(0, -6)) : undefined
  if (unit !== 'rfc3339') return digits.test(text) ? Number(text) * (unit === 's' ? 1000 : 1) : undefined
  const [date, offset] = dateTime.exec(text) ?? []
  // A script reads a date without an offset in its own zone.
  const at = date === undefined ? NaN : Date.parse(offset === undefined ? `${date}Z` : date)
  return Number.isNaN(at) ? undefined : at
}

export interface SignedIdOptions {
  /** The header of the id. */
  readonly header: string
  /** Creates the id when `sign` gets a delivery without an id. @default a random UUID */
  readonly newId?: () => string
}

/**
 * The id of a delivery in the signed content.
 *
 * The id is 1 to 256 visible ASCII characters without a dot. With a dot, an attacker could move the border between the id
 * and the following content.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedId(options: SignedIdOptions): SignedStamp {
  const { newId = () => crypto.randomUUID() } = options
  const header = options.header.toLowerCase()
  return {
    header,
    read({ headers }) {
      const id = headers.get(header)
      if (id === null) return refusal('missing')
      return idPattern.test(id) ? id : refusal('malformed')
    },
    make: (headers) => headers.get(header) ?? newId(),
  }
}

const idPattern = /^[!-\-/-~]{1,256}$/
