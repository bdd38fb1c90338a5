import type { Delivery } from '../ports/delivery.ts'
import type { SignatureScheme } from '../ports/ports.ts'

/** A delivery to send. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * Signs a delivery for tools and tests. The headers are the headers of the signature, and the body has the signature of a service
 * that signs in the body.
 *
 * @throws as `sign` and `signBody` of the scheme
 */
export async function signDelivery(
  scheme: SignatureScheme,
  delivery: Delivery,
  secret: string,
  now: number,
): Promise<SignedDelivery> {
  const body = (await scheme.signBody?.(delivery, secret, now)) ?? delivery.body
  return { headers: await scheme.sign({ ...delivery, body }, secret, now), body }
}
