import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** An author is nobody's authorization, and the key of an event opens nothing; any other key may. */
const telling =
  /assertion|(?!\bauthor\b)auth|cookie|credential|hmac|jwt|(?<!\b(event|idempotency|object)-?)key|pass|secret|session|signature|token/i

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
 * those whose name says that they hold a credential, are replaced. What is merely signed stays.
 */
export function redactHeaders(
  headers: DeliveryHeaders,
  { signature: { headers: proof, signedHeaders } }: Pick<AnyProvider, 'signature'>,
): Readonly<Record<string, string>> {
  const kept: [string, string][] = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const isSecret = proof.includes(lower) ? !signedHeaders?.includes(lower) : isTelling(lower)
    kept.push([lower, isSecret ? redacted : value])
  }
  return Object.fromEntries(kept)
}

/** Stored headers, of which those that are redacted read as absent: a key is made of no placeholder. */
export function storedHeaders(kept: Readonly<Record<string, string>>): DeliveryHeaders {
  const readable = new Map(Object.entries(kept).filter(([, value]) => value !== redacted))
  return {
    get: (name) => readable.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => readable[Symbol.iterator](),
  }
}
