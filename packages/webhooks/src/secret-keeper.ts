import type { SallyportError } from '@sallyport/errors'
import type { SecretSource } from './ports.ts'
import { providerUnavailable } from './refusals.ts'
import { tell } from './tell.ts'
import { within } from './timeout.ts'

/** Secrets that never change while the process runs, by provider name. */
export function staticSecrets(values: Readonly<Record<string, readonly string[]>>): SecretSource {
  return {
    lease(name) {
      const own = Object.hasOwn(values, name) ? values[name] : undefined
      if (own === undefined || own.length === 0) throw new Error(`There is no secret for "${name}"`)
      return { values: own }
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

export interface SecretKeeperOptions {
  /** Told of every lease that could not be had or renewed. */
  readonly onError?: (name: string, error: unknown) => unknown
  /** How long the source may take, in milliseconds; after that it has failed. At least its own patience. @default 5,000 */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** However often strangers knock, a store that failed is left alone for so long. */
const retryMs = 1000

/** The part of a lease after which it is renewed, while there is still time to try again. */
const renewalPart = 0.8

interface Held {
  readonly values: readonly string[]
  /** Asked again from here on, in the background. */
  readonly renewAt: number
  /** From here on whoever needs it waits for the renewal. */
  readonly endsAt: number
  readonly state: Exclude<SecretState, 'missing'>
}

interface Failure {
  readonly refusal: SallyportError
  readonly retryAt: number
}

/**
 * Keeps what a source leases, for a gateway that is to start with its secrets at hand and to say how they stand.
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
  const helds = new Map<string, Held>()
  const failures = new Map<string, Failure>()
  const underWay = new Map<string, Promise<readonly string[]>>()

  async function lease(name: string): Promise<readonly string[]> {
    try {
      const leasedAt = now()
      const granted = await within(timeoutMs, source.lease(name))
      const values = granted.values.filter((value) => value !== '')
      if (values.length === 0) throw new Error(`The source has no secret for "${name}"`)
      const { expiresAt: endsAt = Infinity } = granted
      const renewAt = endsAt === Infinity ? Infinity : leasedAt + (endsAt - leasedAt) * renewalPart
      helds.set(name, { values, renewAt, endsAt, state: 'current' })
      failures.delete(name)
      return values
    } catch (error) {
      tell(onError, name, error)
      const retryAt = now() + retryMs
      const held = helds.get(name)
      if (held === undefined) {
        const refusal = providerUnavailable(error)
        failures.set(name, { refusal, retryAt })
        throw refusal
      }
      helds.set(name, { values: held.values, renewAt: retryAt, endsAt: Infinity, state: 'kept' })
      return held.values
    }
  }

  /** However many deliveries arrive meanwhile, the store is asked once. */
  function leaseOnce(name: string): Promise<readonly string[]> {
    const asked = underWay.get(name)
    if (asked) return asked
    const asking = lease(name).finally(() => underWay.delete(name))
    underWay.set(name, asking)
    return asking
  }

  return {
    secretsOf(name) {
      const held = helds.get(name)
      const time = now()
      if (held === undefined) {
        const failure = failures.get(name)
        const waits = failure !== undefined && failure.retryAt > time
        return waits ? Promise.reject(failure.refusal) : leaseOnce(name)
      }
      if (time < held.renewAt) return held.values
      const renewal = leaseOnce(name)
      return time < held.endsAt ? held.values : renewal
    },

    async renew(names) {
      const due = [...names].filter((name) => (helds.get(name)?.renewAt ?? 0) <= now())
      await Promise.allSettled(due.map(leaseOnce))
    },

    stateOf: (name) => helds.get(name)?.state ?? 'missing',
  }
}
