import type { GatewayEndpoint } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** The providers and endpoints that are remembered. The oldest failure is forgotten first. */
const maxTargets = 10_000

/**
 * Remembers the secrets with which deliveries of a provider or an endpoint failed last. Failures with other secrets than the
 * current ones say nothing about a client: a change of the secrets lifts its block.
 */
export function createFailedSecrets() {
  const failed = new Map<string, readonly string[]>()
  const getTarget = (
    { name }: Pick<AnyProvider, 'name'>,
    endpoint: Pick<GatewayEndpoint, 'id'> | undefined,
  ) => (endpoint ? `${name}/${endpoint.id}` : name)

  return {
    note(
      provider: Pick<AnyProvider, 'name'>,
      endpoint: Pick<GatewayEndpoint, 'id'> | undefined,
      secrets: readonly string[],
    ): void {
      const target = getTarget(provider, endpoint)
      failed.delete(target)
      failed.set(target, secrets)
      const [oldest] = failed.keys()
      if (failed.size > maxTargets && oldest !== undefined) failed.delete(oldest)
    },
    /** Reports whether the last failure was with other secrets. False without a failure. */
    haveChanged(
      provider: Pick<AnyProvider, 'name'>,
      endpoint: Pick<GatewayEndpoint, 'id'> | undefined,
      secrets: readonly string[],
    ): boolean {
      const before = failed.get(getTarget(provider, endpoint))
      if (before === undefined || before === secrets) return false
      return before.length !== secrets.length || before.some((secret, index) => secret !== secrets[index])
    },
  }
}
