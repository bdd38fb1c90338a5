/** A quota, and where a client stands in it. */
export interface RateLimitState {
  /**
   * The policy's name, printable ASCII.
   *
   * @default 'default'
   */
  readonly name?: string
  /** Requests allowed in a window. */
  readonly quota: number
  /** Length of a window in seconds. */
  readonly window: number
  /** Requests left. */
  readonly remaining: number
  /** Seconds until the quota is whole again. */
  readonly reset: number
}

/**
 * The `RateLimit-Policy` and `RateLimit` headers, one list entry for each quota that applies.
 *
 * @throws TypeError for a number that is negative or not finite, or a name that is not printable ASCII
 * @see https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
 *
 * @example
 * ```ts
 * import { rateLimitHeaders } from '@sallyport/rest'
 *
 * rateLimitHeaders({ quota: 600, window: 60, remaining: 599, reset: 42 })
 * // { 'RateLimit-Policy': '"default";q=600;w=60', RateLimit: '"default";r=599;t=42' }
 * ```
 */
export function rateLimitHeaders(
  ...states: readonly [RateLimitState, ...RateLimitState[]]
): Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>> {
  const policies = states.map(({ name, quota, window }) => {
    return `${quoted(name)};q=${integer(quota)};w=${integer(window)}`
  })
  const standings = states.map(({ name, remaining, reset }) => {
    return `${quoted(name)};r=${integer(remaining)};t=${integer(reset)}`
  })
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: standings.join(', ') }
}

/**
 * The value of `Retry-After`: whole seconds, rounded up, at least 1.
 *
 * @param seconds how long to wait
 * @throws TypeError for a number that is negative or not finite
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 *
 * @example
 * ```ts
 * import { retryAfter } from '@sallyport/rest'
 *
 * retryAfter(0.4) // '1'
 * ```
 */
export function retryAfter(seconds: number): string {
  return String(Math.max(1, integer(seconds)))
}

/** A structured field's Integer has at most 15 digits: RFC 9651 section 3.3.1. */
function integer(value: number): number {
  const whole = Math.ceil(value)
  if (!(whole >= 0 && whole <= 999_999_999_999_999))
    throw new TypeError('A rate limit is not negative, and finite')
  return whole
}

/** A structured field's String: RFC 9651 section 3.3.3. */
function quoted(name = 'default'): string {
  // As names are: the rest costs more than all of these headers.
  if (/^[\w.-]+$/.test(name)) return `"${name}"`
  if (!/^[\x20-\x7e]+$/.test(name)) throw new TypeError('The name of a policy is printable ASCII')
  return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
