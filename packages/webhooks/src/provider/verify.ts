import { isSallyportError } from '@sallyport/errors'
import { utf8 } from '../crypto/encoding.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { GatewayEndpoint, Verification } from '../ports/ports.ts'
import type { AnyProvider, Handshake, HandshakeAnswer, HandshakeRequest } from './provider.ts'
import { hasQueryBody, readQueryBody } from './query-body.ts'
import { badRequest } from '../ports/refusals.ts'

interface UndecidedDelivery extends Pick<Delivery, 'method' | 'headers' | 'body'> {
  readonly url: string | undefined
  readonly alternativeUrls?: readonly string[] | undefined
}

/** Creates the delivery that a signature scheme verifies. */
export function createDelivery(
  { url, alternativeUrls, ...request }: UndecidedDelivery,
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

/** The result of a signature scheme, with the error that the scheme threw. */
export type SignatureCheck = Verification & { readonly error?: unknown }

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

const maxChallengeBytes = 1024

/**
 * Answers the challenge of a service.
 *
 * @returns undefined when the request is a delivery
 * @throws SallyportError `BAD_REQUEST` (400) when the answer is larger than 1 KB
 */
export async function answerHandshake(
  handshake: Handshake,
  provider: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
  query = new URLSearchParams(),
): Promise<HandshakeAnswer | undefined> {
  const method = delivery.method as HandshakeRequest['method']
  if (!handshake.methods.includes(method)) return undefined
  const answer = await handshake.answer({
    ...delivery,
    method,
    query,
    verify: async (candidates = secrets) => (await verify(provider, delivery, candidates, now)).verified,
    secrets,
  })
  if (answer && utf8(answer.body).length > maxChallengeBytes) throw badRequest('The challenge is too long')
  return answer
}
