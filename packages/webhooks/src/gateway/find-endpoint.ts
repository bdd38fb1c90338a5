import { isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import type { EndpointSource, GatewayEndpoint } from '../ports/ports.ts'
import { isEndpointId } from './endpoint-id.ts'
import { endpointsUnavailable, unknownEndpoint } from '../ports/refusals.ts'

/** Longer than the lock timeout of a store. */
export const endpointTimeoutMs = 5000

/** @throws SallyportError `UNKNOWN_ENDPOINT` (404), `PROVIDER_UNAVAILABLE` (503) while the endpoints are unavailable */
export async function findEndpoint(
  endpoints: EndpointSource | undefined,
  provider: string,
  id = '',
): Promise<GatewayEndpoint> {
  let endpoint: GatewayEndpoint | undefined
  try {
    // A malformed id costs no lookup.
    if (isEndpointId(id)) endpoint = await withDeadline(endpointTimeoutMs, endpoints?.find(id))
  } catch (error) {
    throw isSallyportError(error) ? error : endpointsUnavailable(error)
  }
  if (endpoint?.provider !== provider) throw unknownEndpoint()
  return endpoint
}
