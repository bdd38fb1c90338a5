import type { CodedError } from '@sallyport/errors'
import type { SecretSource } from './ports.ts'
import { timerOption } from './options.ts'
import { secretUnavailable } from './refusals.ts'
import { isSecret } from './schemes/keys.ts'
import { tell } from './tell.ts'
import { within } from './timeout.ts'

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

/** What is known of a provider's secrets. */
interface Known {
  /** None while they could not be leased yet. */
  readonly values?: readonly string[]
  /** Why there are none. */
  readonly refusal?: CodedError
  /** Asked again from here on, in the background where there are some. */
  readonly renewAt: number
  /** From here on whoever needs it waits for the renewal. */
  readonly endsAt: number
  /** Whether a renewal failed, and these are the last good ones. */
  readonly kept?: boolean
}

const nothing: Known = { renewAt: -Infinity, endsAt: -Infinity }

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
  const { onError, now = Date.now } = options
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 5000)
  const known = new Map<string, Known>()
  const underWay = new Map<string, Promise<readonly string[]>>()

  const knownOf = (name: string) => known.get(name) ?? nothing

  async function ask(name: string): Promise<readonly string[]> {
    try {
      const leasedAt = now()
      const granted = await within(timeoutMs, source.lease(name))
      const values = granted.values.filter(isSecret)
      if (values.length === 0) throw new Error(`There is no secret for "${name}"`)
      const { expiresAt: endsAt = Infinity } = granted
      known.set(name, { values, renewAt: leasedAt + (endsAt - leasedAt) * renewalPart, endsAt })
      return values
    } catch (error) {
      tell(onError, name, error)
      const { values } = knownOf(name)
      const renewAt = now() + retryMs
      if (values) {
        known.set(name, { values, renewAt, endsAt: Infinity, kept: true })
        return values
      }
      const refusal = secretUnavailable(error)
      known.set(name, { refusal, renewAt, endsAt: renewAt })
      throw refusal
    }
  }

  /** However many deliveries arrive meanwhile, the store is asked once. */
  function lease(name: string): Promise<readonly string[]> {
    let asking = underWay.get(name)
    if (!asking) underWay.set(name, (asking = ask(name).finally(() => underWay.delete(name))))
    return asking
  }

  return {
    secretsOf(name) {
      const { values, refusal, renewAt, endsAt } = knownOf(name)
      const time = now()
      const renewal = time < renewAt ? undefined : lease(name)
      if (time >= endsAt && renewal) return renewal
      const why = refusal as CodedError
      return values ?? Promise.reject(why)
    },
    lease,
    knownOf,
  }
}
