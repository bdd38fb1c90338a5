import { isSallyportError } from '@sallyport/errors'
import { utf8 } from '../crypto/encoding.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { GatewayEndpoint, Verification } from '../ports/ports.ts'
import type { AnyProvider, Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { badRequest } from './refusals.ts'

/** Creates the delivery that a signature scheme verifies. */
export function createDelivery(
  { url, ...request }: Pick<Delivery, 'method' | 'headers' | 'body'> & { readonly url: string | undefined },
  endpoint: GatewayEndpoint | undefined,
): Delivery {
  const toleranceSeconds = endpoint?.options?.toleranceSeconds
  return {
    ...request,
    ...(url !== undefined && { url }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
  }
}

/** The result of a signature scheme, with the error that the scheme threw. */
export type SignatureCheck = Verification & { readonly error?: unknown }

/**
 * Verifies the signature of a delivery. An error of the scheme is the result `malformed`.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the scheme reports a wrong configuration
 */
export async function verify(
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
