import { createSecretKeeper, type SecretKeeper, type SecretSource } from '@sallyport/webhooks'
import type { ProcessDependency } from '@sallyport/webhooks/processes'
import type { Logger } from '../logging/log.ts'
import type { Config } from './config.ts'
import { toSecretSource, type SecretStore } from '@sallyport/webhooks/secret-stores'
import { webhookSecretName } from './development-secrets.ts'

export interface WebhookSecrets {
  readonly keeper: SecretKeeper
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  /** The store of secrets while it fails. */
  readonly dependencies: () => readonly ProcessDependency[]
  readonly close: () => void
}

export interface WebhookSecretsOptions {
  readonly store: SecretStore
  readonly providers: readonly string[]
  /** Providers that may have no secret: failed reads are retried with a growing delay. @default none */
  readonly undecided?: readonly string[]
  /** Called once when a secret cannot be read or renewed, and once when it is available again. */
  readonly onChange: (text: string, error?: unknown) => void
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** The timeout of a lease, in milliseconds: longer than the timeout of the command. */
export const leaseTimeoutMs = 12_000

/** The interval between two checks of the leases, in milliseconds. */
const renewalMs = 1000

/** The longest delay before the command runs again for a secret that may not exist. */
const maximumWaitMs = 60_000

/** Leases the secrets of all providers, and renews the leases before they end. */
export async function leaseWebhookSecrets(options: WebhookSecretsOptions): Promise<WebhookSecrets> {
  const { store, providers, undecided = [], onChange, now = () => performance.now() } = options
  const failing = new Set<string>()

  const unknown = new Set(undecided)
  const source = withBackoff(toSecretSource(store, webhookSecretName, now), unknown, now)
  const reporting: SecretSource = {
    async lease(provider) {
      const lease = await source.lease(provider)
      if (failing.delete(provider)) onChange(`The secret of ${provider} is available again`)
      return lease
    },
  }
  const keeper = createSecretKeeper(reporting, {
    now,
    timeoutMs: leaseTimeoutMs,
    onError(provider, error) {
      if (failing.has(provider)) return
      failing.add(provider)
      onChange(formatNotice(provider), error)
    },
  })
  const formatNotice = (provider: string) => {
    if (keeper.getState(provider) !== 'missing')
      return `The secret of ${provider} cannot be renewed: the last valid value stays in use`
    const text = `The secret of ${provider} is unavailable: its deliveries are answered with 503`
    return unknown.has(provider) ? `${text}. If it has no secret, list your providers in PROVIDERS` : text
  }

  await keeper.renew(providers)
  const timer = setInterval(() => void keeper.renew(providers), renewalMs).unref()
  const notices = () => [...failing].map(formatNotice)
  return {
    keeper,
    notices,
    dependencies: () =>
      failing.size === 0
        ? []
        : [{ name: 'secrets', kind: 'secrets', status: 'unavailable', detail: notices().join('. ') }],
    close() {
      clearInterval(timer)
    },
  }
}

/** Delays repeated reads of the given secrets after failures, until a secret is available. */
function withBackoff(source: SecretSource, unknown: Set<string>, now: () => number): SecretSource {
  const failures = new Map<
    string,
    { readonly error: unknown; readonly waitMs: number; readonly until: number }
  >()
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

/** Leases the secrets of the addresses without an endpoint, and logs outages of their store. */
export function openWebhookSecrets(config: Config, log: Pick<Logger, 'warn'>): Promise<WebhookSecrets> {
  const names = config.providers.map(({ name }) => name)
  return leaseWebhookSecrets({
    store: config.secrets,
    providers: names.filter((name) => !config.endpointOnly.includes(name)),
    undecided: config.undecided,
    onChange: (text, error) => {
      log.warn({ err: error }, text)
    },
  })
}
