import { isSallyportError } from '@sallyport/errors'
import { utf8 } from '../crypto/encoding.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { GatewayEndpoint, Verification } from '../ports/ports.ts'
import type { AnyProvider } from './provider.ts'

/** Creates the delivery that a signature scheme verifies. */
export function createDelivery(
  {
    url,
    alternativeUrls,
    ...request
  }: Pick<Delivery, 'method' | 'headers' | 'body'> & {
    readonly url: string | undefined
    readonly alternativeUrls?: readonly string[] | undefined
  },
  endpoint: GatewayEndpoint | undefined,
): Delivery {
  const toleranceSeconds = endpoint?.options?.toleranceSeconds
  return {
    ...request,
    ...(url !== undefined && { url }),
    ...(alternativeUrls !== undefined && { alternativeUrls }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
  }
}

/** Reports whether a request is a delivery by GET, whose query takes the place of the body. */
export const hasQueryBody = ({ methods }: Pick<AnyProvider, 'methods'>, method: string): boolean =>
  method === 'GET' && methods?.includes('GET') === true

/** Returns the query of an address as a form, without decoding it. */
export function readQueryBody(url: string): Uint8Array {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return utf8(query)
}

/** The result of a signature scheme, with the error that the scheme threw. */
export type SignatureCheck = Verification & { readonly error?: unknown }

/** Reports whether a signature is valid. In JavaScript, a truthy value such as a promise must not pass. */
export function isValid(check: SignatureCheck): check is SignatureCheck & { readonly verified: true } {
  const verified: unknown = check.verified
  return verified === true
}

/**
 * Verifies the signature of a delivery, with each of its addresses if the scheme reads the address. An error of the scheme is
 * the result `malformed`.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the scheme reports a wrong configuration
 */
export async function verify(
  provider: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
): Promise<SignatureCheck> {
  const { url, alternativeUrls = [], ...rest } = delivery
  if (url === undefined || alternativeUrls.length === 0) return verifyUrl(provider, delivery, secrets, now)
  const isQueryBody = hasQueryBody(provider, delivery.method)
  let reads = 0
  const verifyWith = (address: string): Promise<SignatureCheck> => {
    const addressed: Delivery = {
      ...rest,
      ...(isQueryBody && { body: readQueryBody(address) }),
      get url() {
        reads += 1
        return address
      },
    }
    return verifyUrl(provider, addressed, secrets, now)
  }
  let check = await verifyWith(url)
  for (const address of alternativeUrls) {
    // Only another address can mend a mismatch.
    if (check.verified || check.reason !== 'mismatch' || (reads === 0 && !isQueryBody)) break
    check = await verifyWith(address)
  }
  return check
}

async function verifyUrl(
  { signature }: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
): Promise<SignatureCheck> {
  try {
    return await signature.verify(delivery, secrets, now)
  } catch (error) {
    if (isSallyportError(error) && error.code === 'PROVIDER_UNAVAILABLE') throw error
    // A scheme can throw undefined.
    return { verified: false, reason: 'malformed', error: error || {} }
  }
}
