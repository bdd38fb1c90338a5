import type { DeliveryHeaders } from './delivery.ts'
import type { AnyProvider } from './provider.ts'

const telling = /assertion|auth|cookie|credential|hmac|jwt|key|passw|secret|session|signature|token/i

/** Names come again with every delivery; strangers make up others, which are not remembered for ever. */
const maximumNames = 256
const judged = new Map<string, boolean>()

function isTelling(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const judgement = telling.test(name)
  if (judged.size < maximumNames) judged.set(name, judgement)
  return judgement
}

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
    kept.push([lower, isTelling(lower) || signature.headers.includes(lower) ? redacted : value])
  }
  return Object.fromEntries(kept)
}
