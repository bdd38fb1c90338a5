import { timerOption } from '../internal/options.ts'
import type { SecretSource } from '../ports/ports.ts'
import { secretUnavailable } from '../gateway/refusals.ts'
import { requireFunctions } from '../internal/require-functions.ts'
import { isSecret } from '../schemes/keys.ts'
import { secretLeases, type SecretKeeperOptions } from './secret-leases.ts'

export type { SecretKeeperOptions } from './secret-leases.ts'

/** Secrets that never change while the process runs: a source that nothing has to be leased of. */
export interface StaticSecrets extends SecretSource, Pick<SecretKeeper, 'secretsOf'> {}

/**
 * Secrets that never change while the process runs, by provider name. An empty one is as good as none.
 *
 * @throws TypeError when one of them is no text
 */
export function staticSecrets(values: Readonly<Record<string, readonly string[]>>): StaticSecrets {
  const byName = new Map<string, readonly string[]>()
  for (const [name, own] of Object.entries(values)) {
    const given = [own].flat().filter((one) => one !== '')
    if (!given.every(isSecret)) throw new TypeError(`The secrets of ${name} must be texts`)
    if (given[0]) byName.set(name, given)
  }
  const missing = (name: string) => new Error(`There is no secret for "${name}"`)

  return {
    lease(name) {
      const own = byName.get(name)
      if (own === undefined) throw missing(name)
      return { values: own }
    },
    secretsOf(name) {
      const own = byName.get(name)
      if (own === undefined) throw secretUnavailable(missing(name))
      return own
    },
  }
}

/** What is held for a provider: the current values, the last good ones of a lease that could not be renewed, or none. */
export type SecretState = 'current' | 'kept' | 'missing'

/** Leased secrets, renewed before their leases end. */
export interface SecretKeeper {
  /**
   * The secrets of a provider, newest first. Once it has some they are answered without a wait, unless their lease has
   * ended unnoticed; a renewal that fails leaves the last good ones in use.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) while none could be leased yet
   */
  secretsOf(name: string): readonly string[] | Promise<readonly string[]>
  /** Leases what is missing or about to end; never rejects. For the start of a server, and a timer of its own. */
  renew(names: Iterable<string>): Promise<void>
  stateOf(name: string): SecretState
}

/**
 * Keeps what a source leases, for a gateway that is to start with its secrets at hand and to say how they stand.
 *
 * @throws TypeError for a source that leases nothing, or a time that no timer waits
 *
 * @example
 * ```ts
 * import { createSecretKeeper, staticSecrets } from '@sallyport/webhooks'
 *
 * const keeper = createSecretKeeper(staticSecrets({ codehost: ['the secret of the webhook'] }))
 * await keeper.renew(['codehost'])
 * ```
 */
export function createSecretKeeper(source: SecretSource, options: SecretKeeperOptions = {}): SecretKeeper {
  requireFunctions('source', source, 'lease')
  const { timeoutMs } = options
  if (timeoutMs !== undefined) timerOption('timeoutMs', timeoutMs)
  const { secretsOf, lease, knownOf } = secretLeases(source, options)

  return {
    secretsOf,

    async renew(names) {
      const due = [...names].filter((name) => {
        const { values, age, renewMs } = knownOf(name)
        return values === undefined || age() >= renewMs
      })
      await Promise.allSettled(due.map(lease))
    },

    stateOf(name) {
      const { values, refusal } = knownOf(name)
      if (values === undefined) return 'missing'
      return refusal ? 'kept' : 'current'
    },
  }
}
