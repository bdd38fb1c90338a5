import { createSecretKeeper, type SecretKeeper, type SecretSource } from '@sallyport/webhooks'
import { commandTimeoutMs } from './secrets-command.ts'
import { webhookSecretName, type SecretStore } from './secrets.ts'

export interface WebhookSecrets {
  readonly keeper: SecretKeeper
  /** What an operator should know of them now. */
  notices(): readonly string[]
  stop(): void
}

export interface WebhookSecretsOptions {
  readonly store: SecretStore
  readonly providers: readonly string[]
  /** Those of them that the store may have no secret of: while it fails, it is asked for these ever less often. @default none */
  readonly undecided?: readonly string[]
  /** Told once when a secret cannot be had or renewed, and once when it is there again. */
  readonly onChange: (text: string, error?: unknown) => void
  /** A clock that only goes forward, in milliseconds: leases and waits are by this one alone. @default performance.now */
  readonly now?: () => number
}

/** How long whoever leases waits for a store: longer than its slowest, which gives up by itself. */
export const leaseTimeoutMs = commandTimeoutMs + 2000

/** How often leases are looked at. */
const renewalMs = 1000

/** For what a store may not have, each time a process of its own is not spent every second. */
const maximumWaitMs = 60_000

/** The secrets of providers in a store, by the names of their variables. */
export function webhookSecretSource(store: SecretStore, now: () => number): SecretSource {
  return {
    async lease(provider) {
      const name = webhookSecretName(provider)
      const { values, leaseMs } = await store.renew(name)
      if (values.length === 0) throw new Error(`${name} is missing`)
      return { values, ...(leaseMs !== undefined && { expiresAt: now() + leaseMs }) }
    },
  }
}

/** Leases the secrets of all providers at once, and from then on before their leases end. */
export async function leaseWebhookSecrets(options: WebhookSecretsOptions): Promise<WebhookSecrets> {
  const { store, providers, undecided = [], onChange, now = () => performance.now() } = options
  const failing = new Set<string>()

  const open = new Set(undecided)
  const source = lessAndLessOften(webhookSecretSource(store, now), open, now)
  const told: SecretSource = {
    async lease(provider) {
      const lease = await source.lease(provider)
      if (failing.delete(provider)) onChange(`The secret of ${provider} is there again`)
      return lease
    },
  }
  const keeper = createSecretKeeper(told, {
    now,
    timeoutMs: leaseTimeoutMs,
    onError(provider, error) {
      if (failing.has(provider)) return
      failing.add(provider)
      onChange(noticeOf(provider), error)
    },
  })
  const noticeOf = (provider: string) => {
    if (keeper.getState(provider) !== 'missing')
      return `The secret of ${provider} cannot be renewed: the last good value stays in use`
    const text = `The secret of ${provider} cannot be had: its deliveries are answered 503`
    return open.has(provider) ? `${text}. If there is none, name in PROVIDERS those that you use` : text
  }

  await keeper.renew(providers)
  const timer = setInterval(() => void keeper.renew(providers), renewalMs).unref()
  return {
    keeper,
    notices: () => [...failing].map(noticeOf),
    stop() {
      clearInterval(timer)
    },
  }
}

/** A source that is left alone for longer each time that it fails for one of these names, until it has a secret of it. */
function lessAndLessOften(source: SecretSource, open: Set<string>, now: () => number): SecretSource {
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
        open.delete(provider)
        return lease
      } catch (error) {
        const waitMs = Math.min(2 * (last?.waitMs ?? 500), maximumWaitMs)
        if (open.has(provider)) failures.set(provider, { error, waitMs, until: now() + waitMs })
        throw error
      }
    },
  }
}
