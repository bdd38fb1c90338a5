import type { DeliveryHeaders } from './delivery.ts'
import type { AnyProvider } from './provider.ts'

const telling = /assertion|auth|cookie|credential|hmac|jwt|key|passw|secret|session|signature|token/i

/** What stands where a secret stood. */
const redacted = '[redacted]'

/**
 * The headers of a delivery by lower-case name, fit for storing: the values of those that carry its proof, and of
 * those whose name says that they hold a credential, are replaced.
 */
export function redactHeaders(
  headers: DeliveryHeaders,
  { signature }: Pick<AnyProvider, 'signature'>,
): Readonly<Record<string, string>> {
  const kept: [string, string][] = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    kept.push([lower, telling.test(lower) || signature.headers.includes(lower) ? redacted : value])
  }
  return Object.fromEntries(kept)
}
