import type { CodedError } from '@sallyport/errors'
import { leaseAges, type LeaseAge } from '../dispatch/lease-age.ts'
import type { SecretSource } from '../ports/ports.ts'
import { secretUnavailable } from '../gateway/refusals.ts'
import { isSecret } from '../schemes/keys.ts'
import { callHook } from '@sallyport/internal/promises'
import { withDeadline } from '@sallyport/internal/deadline'

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
  /** The pending lease, whose result replaces this entry. */
  pending?: Promise<readonly string[]>
}

/** The leases of a source. */
export interface SecretLeases {
  /** See `getSecrets` of a keeper. */
  readonly getSecrets: (name: string) => readonly string[] | Promise<readonly string[]>
  /** Leases from the source, or waits for the pending lease. */
  readonly lease: (name: string) => Promise<readonly string[]>
  readonly getEntry: (name: string) => Entry
}

/** Creates leases that are requested and renewed on demand. */
export function createSecretLeases(source: SecretSource, options: SecretKeeperOptions = {}): SecretLeases {
  const { onError, timeoutMs = 5000, now = Date.now } = options
  const startAge = leaseAges(now, options.monotonicNow)
  const entries = new Map<string, Entry>()

  function getEntry(name: string): Entry {
    let one = entries.get(name)
    if (!one) entries.set(name, (one = { age: () => 0, renewMs: 0 }))
    return one
  }

  async function ask(name: string): Promise<readonly string[]> {
    try {
      const { values: given, expiresAt } = await withDeadline(timeoutMs, source.lease(name))
      const values = given.filter(isSecret)
      if (values.length === 0) throw new Error(`Set a secret for "${name}"`)
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

  /** Parallel deliveries share one lease. */
  function lease(name: string): Promise<readonly string[]> {
    return (getEntry(name).pending ??= ask(name))
  }

  return {
    getSecrets(name) {
      const { values, refusal, age, renewMs, endMs = Infinity } = getEntry(name)
      const ageMs = age()
      if (ageMs >= renewMs) {
        const renewal = lease(name)
        if (!values || ageMs >= endMs) return renewal
      }
      const why = refusal as CodedError
      return values ?? Promise.reject(why)
    },
    lease,
    getEntry,
  }
}
