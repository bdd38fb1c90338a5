import type { CodedError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { leaseAges, type LeaseAge } from '../ports/lease-age.ts'
import { secretUnavailable } from '../ports/refusals.ts'
import type { SecretSource } from '../ports/ports.ts'
import { isSecret } from '../schemes/keys.ts'

/** Secrets that do not change while the process runs. */
export interface StaticSecrets extends SecretSource, Pick<SecretKeeper, 'getSecrets'> {}

/**
 * Creates a source of secrets that do not change while the process runs, by provider name. Empty secrets are ignored.
 *
 * @throws TypeError for a secret that is not a string, or only white space
 */
export function staticSecrets(values: Readonly<Record<string, readonly string[]>>): StaticSecrets {
  const byName = new Map<string, readonly string[]>()
  for (const [name, own] of Object.entries(values)) {
    const given = [own].flat().filter((one) => one !== '')
    if (!given.every(isSecret))
      throw new TypeError(`The secrets of ${name} must be strings with more than white space`)
    if (given[0]) byName.set(name, given)
  }

  function get(name: string): readonly string[] {
    const own = byName.get(name)
    if (own === undefined) throw secretMissing(name)
    return own
  }
  return {
    lease: (name) => ({ values: get(name) }),
    getSecrets(name) {
      try {
        return get(name)
      } catch (error) {
        throw secretUnavailable(error)
      }
    },
  }
}

const secretMissing = (name: string) => new Error(`Set a secret for "${name}"`)

/** `kept` is the state of expired secrets after a failed renewal. */
type SecretState = 'current' | 'kept' | 'missing'

/** Leased secrets, renewed before their leases end. */
export interface SecretKeeper {
  /**
   * Returns the secrets of a provider, newest first. The keeper renews secrets in the background. A call waits only for the
   * first lease and after the end of a lease. When a renewal fails, the last secrets stay in use.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) before the first successful lease
   */
  getSecrets(name: string): readonly string[] | Promise<readonly string[]>
  /**
   * Leases secrets before their time, because an operator may have changed them, at most once a second. Returns the secrets in
   * use.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) before the first successful lease
   */
  refresh(name: string): Promise<readonly string[]>
  /** Leases missing and expiring secrets. Never rejects. Call it at the start of a server, and from a timer. */
  renew(names: Iterable<string>): Promise<void>
  getState(name: string): SecretState
}

export interface SecretKeeperOptions {
  /** Called after each failed lease or renewal. */
  readonly onError?: (name: string, error: unknown) => unknown
  /** The timeout of a lease in milliseconds; at least the timeout of the source itself. @default 5,000 */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Milliseconds of a monotonic clock, for the age of a lease. @default performance.now */
  readonly monotonicNow?: () => number
}

/** The pause after a failure, so that unverified requests do not overload the store. */
const retryMs = 1000

/** The renewal begins before the end of a lease, which leaves time for retries. */
const renewalPart = 0.8

/** The secrets of one provider. */
interface Entry {
  /** The last leased secrets; undefined before the first lease. */
  readonly values?: readonly string[] | undefined
  /** The error of the last lease. */
  readonly refusal?: CodedError
  /** The time since the last result of the source. */
  readonly age: LeaseAge
  /** The age at which the secrets are renewed in the background. */
  readonly renewMs: number
  /** The age at which a request waits for the renewal. @default Infinity */
  readonly endMs?: number
  /** The pending lease, whose result replaces this entry. Parallel deliveries share the lease. */
  pending?: Promise<readonly string[]>
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
  const { onError, timeoutMs = 5000, now = Date.now } = options
  checkFunctions('source', source, 'lease')
  timerOption('timeoutMs', timeoutMs)
  const startAge = leaseAges(now, options.monotonicNow)
  const entries = new Map<string, Entry>()

  function getEntry(name: string): Entry {
    let entry = entries.get(name)
    if (!entry) entries.set(name, (entry = { age: () => 0, renewMs: 0 }))
    return entry
  }

  async function lease(name: string): Promise<readonly string[]> {
    try {
      const { values: given, expiresAt } = await withDeadline(timeoutMs, source.lease(name))
      const values = given.filter(isSecret)
      if (values.length === 0) throw secretMissing(name)
      const endMs = (expiresAt ?? Infinity) - now()
      if (endMs <= 0) throw new Error(`The lease for "${name}" has ended`)
      // An end of NaN never passes.
      entries.set(name, { values, age: startAge(), renewMs: endMs * renewalPart || retryMs, endMs })
      return values
    } catch (error) {
      callHook(onError, name, error)
      const { values } = getEntry(name)
      const refusal = secretUnavailable(error)
      entries.set(name, { values, refusal, age: startAge(), renewMs: retryMs })
      if (values) return values
      throw refusal
    }
  }

  function getSecrets(name: string): readonly string[] | Promise<readonly string[]> {
    const entry = getEntry(name)
    const { values, refusal, renewMs, endMs = Infinity } = entry
    const ageMs = entry.age()
    if (ageMs >= renewMs) {
      const renewal = (entry.pending ??= lease(name))
      if (!values || ageMs >= endMs) return renewal
    }
    return values ?? Promise.reject(refusal ?? secretUnavailable(secretMissing(name)))
  }

  return {
    getSecrets,

    async refresh(name) {
      const entry = getEntry(name)
      if (entry.pending === undefined && entry.values && entry.age() < retryMs) return entry.values
      return await (entry.pending ??= lease(name))
    },

    async renew(names) {
      const due = [...names].filter((name) => {
        const { values, age, renewMs } = getEntry(name)
        return values === undefined || age() >= renewMs
      })
      await Promise.allSettled(due.map((name) => (getEntry(name).pending ??= lease(name))))
    },

    getState(name) {
      const { values, refusal } = getEntry(name)
      if (values === undefined) return 'missing'
      return refusal ? 'kept' : 'current'
    },
  }
}
