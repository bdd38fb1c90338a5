import type { CodedError } from '@sallyport/errors'
import { leaseAges, type LeaseAge } from '../dispatch/lease-age.ts'
import type { SecretSource } from '../ports/ports.ts'
import { secretUnavailable } from '../gateway/refusals.ts'
import { isSecret } from '../schemes/keys.ts'
import { tell } from '../internal/tell.ts'
import { within } from '../internal/timeout.ts'

export interface SecretKeeperOptions {
  /** Told of every lease that could not be had or renewed. */
  readonly onError?: (name: string, error: unknown) => unknown
  /** How long the source may take, in milliseconds; after that it has failed. At least its own patience. @default 5,000 */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Milliseconds by a clock that is never set back, for what is left of a lease. @default performance.now */
  readonly monotonicNow?: () => number
}

/** However often strangers knock, a store that failed is left alone for so long. */
const retryMs = 1000

/** The part of a lease after which it is renewed, while there is still time to try again. */
const renewalPart = 0.8

/** What is known of a provider's secrets. */
interface Known {
  /** None while they could not be leased yet; the last good ones where a renewal failed. */
  readonly values?: readonly string[] | undefined
  /** Why there are none, or no others. */
  readonly refusal?: CodedError
  /** Since the source answered, or failed. */
  readonly age: LeaseAge
  /** Asked again from this age on, in the background where there are some. */
  readonly renewMs: number
  /** From this age on whoever needs it waits for the renewal; so does whoever finds no values. @default Infinity */
  readonly endMs?: number
  /** What those wait for who need it while the source is asked; what it answers takes the place of all this. */
  asking?: Promise<readonly string[]>
}

/** What a source leases, for as long as it may be used. */
export interface SecretLeases {
  /** As the `secretsOf` of a keeper. */
  readonly secretsOf: (name: string) => readonly string[] | Promise<readonly string[]>
  /** Asks the source, or waits for the one who does so already. */
  readonly lease: (name: string) => Promise<readonly string[]>
  readonly knownOf: (name: string) => Known
}

/** Leases secrets when they are asked for, and renews them then: what a gateway needs of a source. */
export function secretLeases(source: SecretSource, options: SecretKeeperOptions = {}): SecretLeases {
  const { onError, timeoutMs = 5000, now = Date.now } = options
  const startAge = leaseAges(now, options.monotonicNow)
  const known = new Map<string, Known>()

  function knownOf(name: string): Known {
    let one = known.get(name)
    if (!one) known.set(name, (one = { age: () => 0, renewMs: 0 }))
    return one
  }

  async function ask(name: string): Promise<readonly string[]> {
    try {
      const { values: given, expiresAt } = await within(timeoutMs, source.lease(name))
      const values = given.filter(isSecret)
      if (values.length === 0) throw new Error(`There is no secret for "${name}"`)
      const endMs = (expiresAt ?? Infinity) - now()
      if (endMs <= 0) throw new Error(`The lease for "${name}" has ended`)
      // An end that is no time never comes, and would be due at once.
      known.set(name, { values, age: startAge(), renewMs: endMs * renewalPart || retryMs, endMs })
      return values
    } catch (error) {
      tell(onError, name, error)
      const { values } = knownOf(name)
      const refusal = secretUnavailable(error)
      known.set(name, { values, refusal, age: startAge(), renewMs: retryMs })
      if (values) return values
      throw refusal
    }
  }

  /** However many deliveries arrive meanwhile, the store is asked once. */
  function lease(name: string): Promise<readonly string[]> {
    return (knownOf(name).asking ??= ask(name))
  }

  return {
    secretsOf(name) {
      const { values, refusal, age, renewMs, endMs = Infinity } = knownOf(name)
      const ageMs = age()
      if (ageMs >= renewMs) {
        const renewal = lease(name)
        if (!values || ageMs >= endMs) return renewal
      }
      const why = refusal as CodedError
      return values ?? Promise.reject(why)
    },
    lease,
    knownOf,
  }
}
