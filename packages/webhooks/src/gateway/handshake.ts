import { isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import { utf8 } from '../crypto/encoding.ts'
import type { GatewayEndpoint } from '../ports/ports.ts'
import { badRequest, endpointsUnavailable, invalidSignature, methodNotAllowed } from '../ports/refusals.ts'
import type { Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { verify } from '../provider/verify.ts'
import { matchesAny } from '../schemes/credentials.ts'
import { isDeliveryMethod, listMethods } from './methods.ts'
import { endpointTimeoutMs } from './find-endpoint.ts'
import type { Pipeline } from './pipeline-options.ts'
import { withProviderDeadline, type TrackWork } from './provider-deadline.ts'
import type { Received } from './receive.ts'

/**
 * Answers a challenge of the service.
 *
 * @returns undefined when the request is a delivery, or asks for the methods
 * @throws SallyportError `METHOD_NOT_ALLOWED` (405) for a request that is neither, `INVALID_SIGNATURE` (401) for a secret that
 *   the endpoint refuses, `RATE_LIMITED` (429), `PROVIDER_UNAVAILABLE` (503), and the error of the provider
 */
export async function answerChallenge(
  pipeline: Pipeline,
  handshake: Handshake,
  received: Received,
  track: TrackWork,
): Promise<HandshakeAnswer | undefined> {
  const { clientLimits } = pipeline
  const { provider, endpoint, client, delivery } = received
  const challenge = await withProviderDeadline(track(askProvider(handshake, received))).catch(
    async (error: unknown) => {
      // The message of an unknown error may quote the request or a secret.
      const safe: Error & { status?: number } = isSallyportError(error) ? error : withoutMessage(error)
      // A 503 is a fault of the server. Any other error counts: a sender could otherwise repeat it without a limit.
      if (safe.status !== 503) await clientLimits.failClient(client)
      throw safe
    },
  )
  if (challenge) {
    if (challenge.signed) await clientLimits.failClient(client)
    if (endpoint) await establishSecret(pipeline, endpoint, challenge, client)
    return challenge
  }
  if (isDeliveryMethod(provider, delivery.method) || delivery.method === 'OPTIONS') return undefined
  await clientLimits.failClient(client)
  throw methodNotAllowed(listMethods(provider))
}

const maxChallengeBytes = 1024

/** @throws SallyportError `BAD_REQUEST` (400) when the answer is larger than 1 KB */
async function askProvider(
  handshake: Handshake,
  { request, provider, delivery, secrets, receivedAt }: Received,
): Promise<HandshakeAnswer | undefined> {
  const method = delivery.method as HandshakeRequest['method']
  if (!handshake.methods.includes(method)) return undefined
  const answer = await handshake.answer({
    ...delivery,
    method,
    query: request.query ?? new URLSearchParams(),
    verify: async (candidates = secrets) =>
      (await verify(provider, delivery, candidates, receivedAt)).verified,
    secrets,
  })
  if (answer && utf8(answer.body).length > maxChallengeBytes) throw badRequest('The challenge is too long')
  return answer
}

/**
 * Stores the secret of a handshake before the answer: the service does not send the secret again.
 *
 * @throws SallyportError `INVALID_SIGNATURE` (401) when the endpoint does not wait for a handshake or has other secrets,
 *   `PROVIDER_UNAVAILABLE` (503) while the endpoints are unavailable
 */
async function establishSecret(
  { endpoints, clientLimits }: Pipeline,
  { id, secrets }: GatewayEndpoint,
  { establishes: secret, isReadOnce }: HandshakeAnswer,
  client: string | undefined,
): Promise<void> {
  if (secret === undefined || endpoints?.establishSecret === undefined) return
  let isEstablished: boolean
  try {
    isEstablished =
      (secrets.length > 0 && (await matchesAny(secret, secrets))) ||
      (await withDeadline(endpointTimeoutMs, endpoints.establishSecret(id, secret, { isReadOnce })))
  } catch (error) {
    throw isSallyportError(error) ? error : endpointsUnavailable(error)
  }
  if (isEstablished) return
  await clientLimits.failClient(client)
  throw invalidSignature()
}
