import { getClientNetwork } from '@sallyport/internal/client-address'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

interface Target {
  readonly provider: Pick<AnyProvider, 'name'>
  readonly endpoint: Pick<GatewayEndpoint, 'id'> | undefined
  readonly secrets: readonly string[]
}

/**
 * Returns the key by which the failure limiter counts a client: its network at one provider or endpoint, because the customers
 * of a service share its addresses. The key depends on the secrets, so that a change of them lifts the block in every gateway that
 * shares the limiter. The text is not an IP address.
 */
export function getLimitedClient(
  { provider, endpoint, secrets }: Target,
  address: string | undefined,
): string | undefined {
  if (address === undefined) return undefined
  const target = endpoint?.id ?? provider.name
  return `${target}.${tagSecrets(secrets)}/${getClientNetwork(address).replaceAll(':', '-')}`
}

/** Hashes secrets to 16 bits: enough to tell a change, and too few to guess a secret from the keys of a shared limiter. */
function tagSecrets(secrets: readonly string[]): string {
  let hash = 0x811c9dc5
  // A store may list them in another order.
  const text = JSON.stringify(secrets.toSorted())
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16)
}
