import { getClientNetwork } from '@sallyport/internal/client-address'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

export interface LimitedTarget {
  readonly provider: Pick<AnyProvider, 'name'>
  readonly endpoint: Pick<GatewayEndpoint, 'id'> | undefined
  readonly secrets: readonly string[]
}

/** How long a change of secrets is recent: the window of the failure limiter, which forgets earlier failures then. */
const recentMs = 60_000

/**
 * Creates the function that returns the key by which the failure limiter counts a client. Failures with earlier secrets say
 * nothing about a client, so that a change of the secrets gives it a new key.
 *
 * - The failures of an address count together for all providers.
 * - For a minute after the secrets of a provider changed, they count apart for this provider.
 * - The failures at an endpoint count apart, because the customers of a service share its addresses.
 *
 * The last two keys are not IP addresses.
 */
export function createClientKeys(now: () => number) {
  const known = new Map<string, { tag: string; changedAt: number }>()

  function isRecent(provider: string, tag: string): boolean {
    const before = known.get(provider)
    if (before?.tag === tag) return now() - before.changedAt < recentMs
    known.set(provider, { tag, changedAt: before ? now() : -Infinity })
    return before !== undefined
  }

  return (
    { provider, endpoint, secrets }: LimitedTarget,
    address: string | undefined,
  ): string | undefined => {
    if (address === undefined) return undefined
    const tag = tagSecrets(secrets)
    if (!endpoint && !isRecent(provider.name, tag)) return address
    return `${endpoint?.id ?? provider.name}.${tag}/${getClientNetwork(address).replaceAll(':', '-')}`
  }
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
