import type { SecretSource } from '../ports/ports.ts'
import { createSecretKeeper, type SecretKeeper } from '../secrets/secret-keeper.ts'
import { toSecretSource, type SecretStore } from './store.ts'

/** Leased secrets of providers: the option `secrets` of `createWebhooks`. */
export interface LeasedSecrets extends SecretKeeper {
  /** The current outages for the operator, one text for each provider. */
  readonly notices: () => readonly string[]
  /** Stops the renewals. */
  readonly close: () => void
}

export interface LeaseSecretsOptions {
  readonly store: Pick<SecretStore, 'renew'>
  /** The names of the providers. */
  readonly providers: readonly string[]
  /** Returns the name of a provider's secret. */
  readonly nameOf: (provider: string) => string
  /** Providers that may have no secret: failed reads are retried with a growing delay, at most a minute. @default none */
  readonly optional?: readonly string[]
  /** Ends the notice of such a provider, and says what to do. @default no text */
  readonly optionalHint?: string
  /** Called once when a secret cannot be read or renewed, and once when it is available again. */
  readonly onChange?: (text: string, error?: unknown) => void
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** The timeout of a lease, in milliseconds: longer than the timeout of a command. */
const timeoutMs = 12_000

/** The interval between two checks of the leases, in milliseconds. */
const renewalMs = 1000

const maximumWaitMs = 60_000

/**
 * Leases the secrets of all providers from a store, and renews the leases before they end. An expired secret stays in use until
 * the store returns its successor; before the first lease, deliveries are answered with 503.
 *
 * @example
 * ```ts
 * import { commandSecrets, leaseSecrets } from '@sallyport/webhooks/secret-stores'
 *
 * const secrets = await leaseSecrets({
 *   store: commandSecrets({ command: 'vault-read', leaseMs: 3_600_000, environment: process.env }),
 *   providers: ['github'],
 *   nameOf: (provider) => `WEBHOOK_SECRET_${provider.toUpperCase()}`,
 *   onChange: (text) => console.log(text),
 * })
 * // createWebhooks({ secrets, … })
 * ```
 */
export async function leaseSecrets(options: LeaseSecretsOptions): Promise<LeasedSecrets> {
  const { store, providers, nameOf, optional = [], optionalHint = '', onChange } = options
  const { now = () => performance.now() } = options
  const failing = new Set<string>()
  const unknown = new Set(optional)
  const source = withBackoff(toSecretSource(store, nameOf, now), unknown, now)
  const reporting: SecretSource = {
    async lease(provider) {
      const lease = await source.lease(provider)
      if (failing.delete(provider)) onChange?.(`The secret of ${provider} is available again`)
      return lease
    },
  }
  const keeper = createSecretKeeper(reporting, {
    ...{ now, timeoutMs },
    onError(provider, error) {
      if (failing.has(provider)) return
      failing.add(provider)
      onChange?.(formatNotice(provider), error)
    },
  })
  const formatNotice = (provider: string) => {
    if (keeper.getState(provider) !== 'missing')
      return `The secret of ${provider} cannot be renewed: the last valid value stays in use`
    const text = `The secret of ${provider} is unavailable: its deliveries are answered with 503`
    return unknown.has(provider) && optionalHint !== '' ? `${text}. ${optionalHint}` : text
  }

  await keeper.renew(providers)
  const timer = setInterval(() => void keeper.renew(providers), renewalMs).unref()
  return {
    ...keeper,
    notices: () => Array.from(failing, formatNotice),
    close() {
      clearInterval(timer)
    },
  }
}

interface Failure {
  readonly error: unknown
  readonly waitMs: number
  readonly until: number
}

/** Delays repeated reads of the given secrets after failures, until a secret is available. */
function withBackoff(source: SecretSource, unknown: Set<string>, now: () => number): SecretSource {
  const failures = new Map<string, Failure>()
  return {
    async lease(provider) {
      const last = failures.get(provider)
      if (last !== undefined && now() < last.until) throw last.error
      try {
        const lease = await source.lease(provider)
        failures.delete(provider)
        unknown.delete(provider)
        return lease
      } catch (error) {
        const waitMs = Math.min(2 * (last?.waitMs ?? 500), maximumWaitMs)
        if (unknown.has(provider)) failures.set(provider, { error, waitMs, until: now() + waitMs })
        throw error
      }
    },
  }
}
