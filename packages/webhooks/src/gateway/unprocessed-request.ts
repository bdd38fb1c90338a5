import { callHook } from '@sallyport/internal/promises'
import { invalidSignature } from '../ports/refusals.ts'
import type { Fault, Normalized, Verified } from './accept.ts'
import type { UnprocessedRequest } from './gateway-contract.ts'
import type { Pipeline } from './pipeline-options.ts'
import type { Received } from './receive.ts'

/**
 * Refuses a request whose signature is not valid, and passes it to `onUnprocessed`.
 *
 * @throws SallyportError `INVALID_SIGNATURE` (401), `RATE_LIMITED` (429)
 */
export async function refuse(pipeline: Pipeline, received: Received, { reason }: Fault): Promise<never> {
  const block = await pipeline.clientLimits.countFailure(received.client)
  keepRefused(pipeline, received, reason, block ? 429 : 401)
  throw block ?? invalidSignature()
}

/** Passes a refused request to `onUnprocessed`. */
export function keepRefused(
  { newId, onUnprocessed }: Pick<Pipeline, 'newId' | 'onUnprocessed'>,
  received: Described,
  reason: string,
  status: 401 | 429,
): void {
  if (onUnprocessed === undefined) return
  callHook(onUnprocessed, { ...describeReceived(received), id: newId(), outcome: 'refused', reason, status })
}

type Described = Pick<Received, 'request' | 'provider' | 'endpoint' | 'delivery' | 'receivedAt'>

/** Passes an ignored delivery to `onUnprocessed`. */
export function keepIgnored(
  { onUnprocessed }: Pipeline,
  received: Received,
  { id, provider, headers, body }: Verified,
  { kind }: Normalized,
): void {
  const status = provider.answer?.status ?? 200
  const facts = describeReceived(received)
  callHook(onUnprocessed, { ...facts, id, headers, outcome: 'ignored', kind, body, status })
}

function describeReceived({
  request,
  provider,
  endpoint,
  delivery,
  receivedAt,
}: Described): Omit<UnprocessedRequest, 'id' | 'outcome' | 'kind' | 'reason' | 'status'> {
  const { method, headers, url, alternativeUrls, address, requestId } = request
  const { body } = delivery
  return {
    ...{ provider, endpoint: endpoint?.id, method, headers, body },
    ...{ url, alternativeUrls, address, requestId, receivedAt },
  }
}
