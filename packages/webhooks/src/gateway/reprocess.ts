import { isSallyportError } from '@sallyport/errors'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import { endpointDisabled } from '../ports/refusals.ts'
import { createDelivery, isValid, verify } from '../provider/verify.ts'
import {
  normalizeDelivery,
  recordDelivery,
  redactDelivery,
  type Normalized,
  type Verified,
} from './accept.ts'
import { findProvider, getSecrets } from './admit.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { Outcome } from './gateway-contract.ts'
import type { PipelineOptions, PipelineParts } from './pipeline-options.ts'
import { withProviderDeadline } from './provider-deadline.ts'

/** A delivery that the gateway received earlier, and ignored or refused. */
export interface KeptRequest {
  /** The id that the delivery gets in the inbox. The same request has the same id in each attempt. */
  readonly id: string
  readonly provider: string
  readonly endpoint?: string | undefined
  /** @default 'POST' */
  readonly method?: string | undefined
  /** Whether the signature was verified at the receipt. `body` is the signed form then, and `headers` may lack signatures. */
  readonly isVerified: boolean
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** The public URL that the sender used. */
  readonly url?: string | undefined
  /** Other URLs that the sender may have used. @default none */
  readonly alternativeUrls?: readonly string[] | undefined
  /** The time of the receipt in milliseconds since the epoch. Signed times are compared with it. */
  readonly receivedAt: number
  /** The source of reconciliation that read the delivery. `recovered:<source>` finds it in the inbox. @default none */
  readonly recoveredBy?: string | undefined
  /** Whether nothing is recorded. The outcome of a delivery that would be recorded is `accepted` or `quarantined`. @default false */
  readonly isDry?: boolean | undefined
}

/** The result for a delivery that was processed again. */
export interface Reprocessed {
  readonly outcome: Outcome | 'refused'
  /** The number of new events, which became due. @default 0 */
  readonly events?: number
  /** The kind of an ignored delivery, the reason of a quarantine or of a failed verification, or an error code. */
  readonly reason?: string
}

/**
 * Creates the function that processes a kept delivery again: it verifies an unverified delivery with the current secrets and
 * the time of the receipt, and records the delivery like a new one, with the same keys.
 */
export function createReprocessor(
  { endpoints, redactor }: Pick<PipelineOptions, 'endpoints' | 'redactor'>,
  parts: PipelineParts,
): (request: KeptRequest) => Promise<Reprocessed> {
  async function reprocess(request: KeptRequest): Promise<Reprocessed> {
    const { id, method = 'POST', url, alternativeUrls, receivedAt, recoveredBy } = request
    const provider = findProvider(parts.registry, request.provider)
    const isNamed = request.endpoint !== undefined
    const endpoint = isNamed ? await findEndpoint(endpoints, provider.name, request.endpoint) : undefined
    if (endpoint?.status === 'disabled') throw endpointDisabled()
    let { body, headers } = request
    if (!request.isVerified) {
      const secrets = await getSecrets(parts, provider, endpoint)
      const delivery = createDelivery({ method, headers, body, url, alternativeUrls }, endpoint)
      const check = (given: readonly string[]) =>
        withProviderDeadline(verify(provider, delivery, given, receivedAt))
      let result = await check(secrets)
      if (!isValid(result) && endpoint === undefined) {
        // Operators verify again after they have changed the secret, perhaps in another process.
        const fresh = await parts.secrets?.refresh?.(provider.name)
        if (fresh !== undefined && fresh !== secrets) result = await check(fresh)
      }
      if (!isValid(result)) return { outcome: 'refused', reason: result.reason }
      ;({ body, headers = headers } = result)
    }
    const query = new URLSearchParams(url?.replace(/^[^?]*/, ''))
    const verified: Verified = { id, provider, endpoint, headers, query, body, receivedAt, recoveredBy }
    const normalized = await normalizeDelivery(verified)
    if (request.isDry === true) return { outcome: predictOutcome(normalized) }
    const stored = await redactDelivery(redactor, verified, normalized)
    const { outcome, fault, events } = await recordDelivery(parts.record, stored.verified, stored.normalized)
    const due = events.filter(({ duplicate }) => !duplicate).length
    const reason = outcome === 'ignored' ? normalized.kind : fault?.reason
    return { outcome, ...(due > 0 && { events: due }), ...(reason !== undefined && { reason }) }
  }

  return async (request) => {
    try {
      return await reprocess(request)
    } catch (error) {
      // A 503 is temporary: the caller tries again.
      if (isSallyportError(error) && error.status < 500) return { outcome: 'refused', reason: error.code }
      throw error
    }
  }
}

function predictOutcome({ events, fault }: Normalized): Outcome {
  if (fault) return 'quarantined'
  return events.length > 0 ? 'accepted' : 'ignored'
}
