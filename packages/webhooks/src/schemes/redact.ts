import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Service } from '../provider/service.ts'
import { createHeaders } from './create-headers.ts'

/** Names of headers with credentials. `author` and the idempotency key of an event are not credentials. */
const credentialName =
  /assertion|(?!\bauthor\b)auth|cookie|credential|hmac|jwt|(?<!\b(event|idempotency|object)-?)key|pass|secret|session|signature|token/i

/** Bounds the cache: senders can invent names. */
const maxCachedNames = 256
const cache = new Map<string, boolean>()

function isCredential(name: string): boolean {
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const result = credentialName.test(name)
  if (cache.size < maxCachedNames) cache.set(name, result)
  return result
}

/** Replaces a secret value. */
export const redacted = '[redacted]'

/**
 * Returns the headers of a delivery by lower-case name, for storage. The values of signature headers and of headers with
 * credentials are replaced. Signed ids and times stay.
 */
export function redactHeaders(
  headers: DeliveryHeaders,
  provider: Pick<AnyProvider, 'signature'>,
): Readonly<Record<string, string>> {
  const { headers: proof, signedHeaders } = provider.signature
  const { deliveryId } = ((provider as Partial<Service>).service ?? {}) as Partial<Service['service']>
  // A replay computes the same id with it.
  const kept = typeof deliveryId === 'object' ? deliveryId.header.toLowerCase() : undefined
  const stored: [string, string][] = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const isSecret = proof.includes(lower)
      ? !signedHeaders?.includes(lower)
      : lower !== kept && isCredential(lower)
    stored.push([lower, isSecret ? redacted : value])
  }
  return Object.fromEntries(stored)
}

/** Names of query parameters with credentials, in addition to those of headers. */
const queryCredentialName = /^(?:code|sig)$/i

/**
 * Returns the query of a delivery for storage, or undefined for no query. The values of the scheme's parameters and of
 * credentials are replaced.
 */
export function redactQuery(
  query: URLSearchParams,
  { signature: { parameters } }: Pick<AnyProvider, 'signature'>,
): string | undefined {
  const stored = new URLSearchParams()
  for (const [name, value] of query) {
    const isSecret = parameters?.includes(name) || isCredential(name) || queryCredentialName.test(name)
    stored.append(name, isSecret ? redacted : value)
  }
  return stored.toString() || undefined
}

/** Returns stored headers for a replay. Redacted headers are absent, so that no key contains the placeholder. */
export const storedHeaders = (stored: Readonly<Record<string, string>>): DeliveryHeaders =>
  createHeaders(Object.entries(stored).filter(([, value]) => value !== redacted))
