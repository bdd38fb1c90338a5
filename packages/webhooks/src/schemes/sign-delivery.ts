import type { Delivery } from '../ports/delivery.ts'
import type { SignatureScheme } from '../ports/ports.ts'

/** A delivery to send. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The address with the signature, for a service that signs in the query. */
  readonly url?: string
}

/**
 * Signs a delivery for tools and tests. The headers are the headers of the signature, and the body has the signature of a service
 * that signs in the body.
 *
 * @throws as `sign`, `signBody` and `signUrl` of the scheme
 */
export async function signDelivery(
  scheme: SignatureScheme,
  delivery: Delivery,
  secret: string,
  now: number,
): Promise<SignedDelivery> {
  const body = (await scheme.signBody?.(delivery, secret, now)) ?? delivery.body
  const url = await scheme.signUrl?.({ ...delivery, body }, secret, now)
  const headers = await scheme.sign({ ...delivery, body }, secret, now)
  return { headers, body, ...(url !== undefined && { url }) }
}
