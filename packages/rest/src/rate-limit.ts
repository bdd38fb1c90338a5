/** A quota and the current state of a client under it. */
export interface RateLimitState {
  /**
   * The name of the policy, printable ASCII.
   *
   * @default 'default'
   */
  readonly name?: string
  /** Requests allowed per window. */
  readonly quota: number
  /** Length of a window in seconds; the headers have at least 1. */
  readonly window: number
  /** Remaining requests. */
  readonly remaining: number
  /** Seconds until the full quota is available. */
  readonly reset: number
}

/**
 * Formats the `RateLimit-Policy` and `RateLimit` headers, with one list entry for each quota.
 *
 * @throws TypeError for a number that is negative or not finite, or a name that is not printable ASCII
 * @see https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
 */
export function formatRateLimitHeaders(
  ...states: readonly [RateLimitState, ...RateLimitState[]]
): Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>> {
  const policies = states.map(({ name, quota, window }) => {
    return `${quoted(name)};q=${integer(quota)};w=${Math.max(1, integer(window))}`
  })
  const limits = states.map(({ name, remaining, reset }) => {
    return `${quoted(name)};r=${integer(remaining)};t=${integer(reset)}`
  })
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: limits.join(', ') }
}

/**
 * Formats the value of `Retry-After`: whole seconds, rounded up, at least 1.
 *
 * @param seconds how long to wait
 * @throws TypeError for a number that is negative or not finite
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function formatRetryAfter(seconds: number): string {
  return String(Math.max(1, integer(seconds)))
}

/** RFC 9651 section 3.3.1: an Integer of a structured field has at most 15 digits. */
function integer(value: number): number {
  const whole = Math.ceil(value)
  if (!(whole >= 0 && whole <= 999_999_999_999_999))
    throw new TypeError('The numbers of a rate limit must be finite and not negative')
  return whole
}

/** RFC 9651 section 3.3.3: a String of a structured field. */
function quoted(name = 'default'): string {
  // Fast path: escaping takes longer than the rest of these headers.
  if (/^[\w.-]+$/.test(name)) return `"${name}"`
  if (!/^[\x20-\x7e]+$/.test(name))
    throw new TypeError('The name of a rate limit policy must be printable ASCII')
  return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
