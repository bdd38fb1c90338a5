import { isSallyportError } from '@sallyport/errors'
import { getClientNetwork } from '@sallyport/internal/client-address'
import type { Delivery } from '../ports/delivery.ts'
import { payloadTooLarge } from '../ports/refusals.ts'
import { createDelivery, hasQueryBody, readQueryBody } from '../provider/verify.ts'
import type { Admission } from './admit.ts'
import type { OpenSink } from './body-budget.ts'
import type { Pipeline } from './pipeline-options.ts'
import { keepRefused } from './unprocessed-request.ts'

/** A request with its body, before its verification. */
export interface Received extends Admission {
  readonly delivery: Delivery
  readonly receivedAt: number
}

/** The codes of an incomplete body: the sender was too slow, or disconnected. */
const incompleteBodyCodes: ReadonlySet<string> = new Set(['REQUEST_TIMEOUT', 'BAD_REQUEST'])

/**
 * Opens a sink for the body within the memory budget. An endpoint has a share of the budget, whatever the number of its
 * addresses.
 *
 * @throws SallyportError `PAYLOAD_TOO_LARGE` (413)
 */
export function openBody(
  { bodyBytes, openSink }: Pick<Pipeline, 'bodyBytes' | 'openSink'>,
  { request: { headers, address }, provider, endpoint }: Pick<Admission, 'request' | 'provider' | 'endpoint'>,
  mostBytes = Infinity,
): OpenSink {
  const limit = Math.min(provider.bodyLimit ?? bodyBytes, mostBytes)
  if (Number(headers.get('content-length')) > limit) throw payloadTooLarge(limit)
  return openSink(limit, endpoint ? endpoint.id : address && getClientNetwork(address))
}

/** Reads the body into its sink. @throws SallyportError of the host and of the sink, `RATE_LIMITED` (429) */
export async function receive(
  pipeline: Pick<Pipeline, 'clientLimits' | 'now' | 'newId' | 'onUnprocessed'>,
  admission: Admission,
  sink: OpenSink,
): Promise<Received> {
  const { clientLimits, now } = pipeline
  const { request, provider, endpoint, client } = admission
  const { method, headers, query, url, alternativeUrls } = request
  try {
    await request.readBody(sink)
  } catch (error) {
    // A sender could otherwise hold memory with incomplete bodies without a limit.
    if (isSallyportError(error) && incompleteBodyCodes.has(error.code)) await clientLimits.failClient(client)
    throw error
  }
  const body = hasQueryBody(provider, method)
    ? readQueryBody(url ?? `?${query?.toString() ?? ''}`)
    : sink.bytes()
  const delivery = createDelivery({ method, headers, body, url, alternativeUrls }, endpoint)
  const receivedAt = request.receivedAt ?? now()
  // Parallel requests of the client may have failed while this body arrived.
  const block = await clientLimits.findBlock(client)
  if (block) {
    keepRefused(pipeline, { ...admission, delivery, receivedAt }, 'blocked', 429)
    throw block
  }
  return { ...admission, delivery, receivedAt }
}
