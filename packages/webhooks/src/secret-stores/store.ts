import { readSecretLines, readSecretVariable } from '@sallyport/internal/secret-list'
import type { SecretSource } from '../ports/ports.ts'
import { describeUnreadable, readSecretFile, withoutNewline } from './files.ts'

/** Secrets by the name of their variable, with the state of the place that holds them. */
export interface SecretStore {
  /** All values, the newest first; empty without the secret. */
  all(name: string): readonly string[]
  /** The text of a variable in which only commas separate the values, so that it may be one secret. */
  whole(name: string): string | undefined
  /** The whole value of a secret without rotation: a password may contain a comma. */
  one(name: string): string | undefined
  /** Reads the secret again while the server runs. @throws Error when the store is unavailable */
  renew(name: string): Promise<RenewedSecret>
  /** Why the store could not be read; the secret may exist. */
  failure(name: string): string | undefined
  /** Whether the failure means that the secret does not exist. Reliable after all secrets have been read. */
  denies(name: string): boolean
  /** A failure that a retry cannot repair: the secret exists but is invalid. */
  fault(name: string): string | undefined
}

interface RenewedSecret {
  readonly values: readonly string[]
  /** How long the values may be used before they are read again. @default no limit */
  readonly leaseMs?: number
}

/** The interval between two reads of a file, in milliseconds. */
const fileLeaseMs = 2000

export interface EnvironmentSecretsOptions {
  /** A folder with one file per secret, such as a mounted secret of Kubernetes. @default no folder */
  readonly folder?: string | undefined
  /** The name of the folder in messages. @default 'the folder' */
  readonly folderName?: string
}

/**
 * Reads secrets from the environment, then from a folder with one file per name. Both have a JSON array or one secret per line.
 * A variable can separate secrets by commas instead. Leases of a secret in a folder end after two seconds.
 *
 * @example
 * ```ts
 * import { environmentSecrets, toSecretSource } from '@sallyport/webhooks/secret-stores'
 *
 * const store = environmentSecrets(process.env, { folder: '/run/secrets' })
 * const secrets = toSecretSource(store, (provider) => `WEBHOOK_SECRET_${provider.toUpperCase()}`)
 * // createWebhooks({ secrets, … })
 * ```
 */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  { folder, folderName = 'the folder' }: EnvironmentSecretsOptions = {},
): SecretStore {
  const read = (name: string) => (folder === undefined ? undefined : readSecretFile(folder, name)) ?? ''
  const readOwn = (name: string) => readSecretVariable(environment[name] ?? '')
  const listed = (name: string, getText: (name: string) => string) => {
    const { values } = readOwn(name)
    return values.length > 0 ? values : readSecretLines(getText(name))
  }
  const readable = (name: string) => {
    try {
      return read(name)
    } catch {
      return ''
    }
  }
  const failure = (name: string) => {
    try {
      listed(name, read)
      return undefined
    } catch (error) {
      return describeUnreadable(folderName, name, error)
    }
  }
  return {
    all: (name) => listed(name, readable),
    whole: (name) => readOwn(name).whole,
    one: (name) => (environment[name] ?? '') || withoutNewline(readable(name)) || undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- an unreadable file rejects
    renew: async (name) => ({
      values: listed(name, read),
      ...(folder !== undefined && { leaseMs: fileLeaseMs }),
    }),
    failure,
    denies: () => false,
    fault: failure,
  }
}

/** Combines two stores; the second is used for secrets that the first lacks. */
export function withFallback(first: SecretStore, second: SecretStore): SecretStore {
  return {
    all(name) {
      const own = first.all(name)
      return own.length > 0 ? own : second.all(name)
    },
    whole: (name) => first.whole(name),
    one: (name) => first.one(name) ?? second.one(name),
    async renew(name) {
      let own: RenewedSecret
      try {
        own = await first.renew(name)
      } catch (error) {
        const other = await second.renew(name)
        if (other.values.length > 0) return other
        throw error
      }
      return own.values.length > 0 ? own : { ...own, ...(await second.renew(name)) }
    },
    failure: (name) =>
      first.all(name).length > 0 ? undefined : (first.failure(name) ?? second.failure(name)),
    denies: (name) => first.failure(name) === undefined && second.denies(name),
    fault: (name) => (first.all(name).length > 0 ? undefined : (first.fault(name) ?? second.fault(name))),
  }
}

/**
 * Creates the source of the providers' secrets: the option `secrets` of `createWebhooks`.
 *
 * @param nameOf returns the name of a provider's secret
 * @param now milliseconds since the epoch, as the clock of the secret keeper
 */
export function toSecretSource(
  store: Pick<SecretStore, 'renew'>,
  nameOf: (provider: string) => string,
  now: () => number = Date.now,
): SecretSource {
  return {
    async lease(provider) {
      const name = nameOf(provider)
      const { values, leaseMs } = await store.renew(name)
      if (values.length === 0) throw new Error(`${name} is missing`)
      return { values, ...(leaseMs !== undefined && { expiresAt: now() + leaseMs }) }
    },
  }
}
