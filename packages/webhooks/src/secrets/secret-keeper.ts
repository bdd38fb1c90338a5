import { checkFunctions, timerOption } from '@sallyport/internal/options'
import type { SecretSource } from '../ports/ports.ts'
import { secretUnavailable } from '../gateway/refusals.ts'
import { isSecret } from '../schemes/keys.ts'
import { createSecretLeases, type SecretKeeperOptions } from './secret-leases.ts'

export type { SecretKeeperOptions } from './secret-leases.ts'

/** Secrets that do not change while the process runs. */
export interface StaticSecrets extends SecretSource, Pick<SecretKeeper, 'getSecrets'> {}

/**
 * Creates a source of secrets that do not change while the process runs, by provider name. Empty secrets are ignored.
 *
 * @throws TypeError for a secret that is not a string
 */
export function staticSecrets(values: Readonly<Record<string, readonly string[]>>): StaticSecrets {
  const byName = new Map<string, readonly string[]>()
  for (const [name, own] of Object.entries(values)) {
    const given = [own].flat().filter((one) => one !== '')
    if (!given.every(isSecret)) throw new TypeError(`The secrets of ${name} must be strings`)
    if (given[0]) byName.set(name, given)
  }
  const missing = (name: string) => new Error(`Set a secret for "${name}"`)

  return {
    lease(name) {
      const own = byName.get(name)
      if (own === undefined) throw missing(name)
      return { values: own }
    },
    getSecrets(name) {
      const own = byName.get(name)
      if (own === undefined) throw secretUnavailable(missing(name))
      return own
    },
  }
}

/** `kept` is the state of expired secrets after a failed renewal. */
export type SecretState = 'current' | 'kept' | 'missing'

/** Leased secrets, renewed before their leases end. */
export interface SecretKeeper {
  /**
   * Returns the secrets of a provider, newest first. The keeper renews secrets in the background. A call waits only for the
   * first lease and after the end of a lease. When a renewal fails, the last secrets stay in use.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) before the first successful lease
   */
  getSecrets(name: string): readonly string[] | Promise<readonly string[]>
  /** Leases missing and expiring secrets. Never rejects. Call it at the start of a server, and from a timer. */
  renew(names: Iterable<string>): Promise<void>
  getState(name: string): SecretState
}

/**
 * Creates a keeper, which leases secrets before the first delivery and reports their state.
 *
 * @throws TypeError for a source without `lease`, and for an invalid timeout
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
  checkFunctions('source', source, 'lease')
  const { timeoutMs } = options
  if (timeoutMs !== undefined) timerOption('timeoutMs', timeoutMs)
  const { getSecrets, lease, getEntry } = createSecretLeases(source, options)

  return {
    getSecrets,

    async renew(names) {
      const due = [...names].filter((name) => {
        const { values, age, renewMs } = getEntry(name)
        return values === undefined || age() >= renewMs
      })
      await Promise.allSettled(due.map(lease))
    },

    getState(name) {
      const { values, refusal } = getEntry(name)
      if (values === undefined) return 'missing'
      return refusal ? 'kept' : 'current'
    },
  }
}
