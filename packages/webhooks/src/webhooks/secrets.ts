import { encodeBytes } from '../crypto/encoding.ts'
import { deriveKeys } from '../endpoints/derive-keys.ts'
import { parseEncryptionKeys } from '../endpoints/secret-cipher.ts'
import type { SecretSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import {
  createSecretKeeper,
  staticSecrets,
  type SecretKeeper,
  type StaticSecrets,
} from '../secrets/secret-keeper.ts'
import { hasMethod } from './has-method.ts'
import type { ReportError } from './report.ts'

/** Secrets by the name of the provider: one, or several from newest to oldest. */
export type SecretsByName = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the keeper of the secrets of addresses without an endpoint; undefined without secrets.
 *
 * @param required the providers that need a secret
 * @throws TypeError for a required provider without a secret
 */
export function openSecrets(
  secrets: SecretsByName | SecretSource | SecretKeeper | undefined,
  required: readonly AnyProvider[],
  onError: ReportError,
): SecretKeeper | StaticSecrets | undefined {
  if (secrets !== undefined && hasMethod(secrets, 'getSecrets')) return secrets as SecretKeeper
  const report = (_: string, error: unknown) => onError(error, 'secrets')
  if (secrets !== undefined && hasMethod(secrets, 'lease'))
    return createSecretKeeper(secrets as SecretSource, { onError: report })
  const given = Object.entries((secrets ?? {}) as SecretsByName).flatMap(([name, values = []]) => {
    const own = [values].flat().filter((value) => value !== '')
    return own.length === 0 ? [] : [[name, own] as const]
  })
  const named = new Set(given.map(([name]) => name))
  const missing = required.find(({ name }) => !named.has(name))
  if (missing) throw new TypeError(`Set a secret for "${missing.name}" in secrets`)
  return secrets && staticSecrets(Object.fromEntries(given))
}

/** Derives texts of 43 characters, one from each key. */
export const deriveSecrets = ({ keys }: KeyRing, purpose: string): readonly string[] =>
  deriveKeys(keys, purpose).map((key) => encodeBytes('base64url', key))

/** The keys of an application. */
export interface KeyRing {
  /** 32 bytes each, newest first. */
  readonly keys: readonly Uint8Array[]
  /** Whether the keys are those of the option, which another process has, too. */
  readonly areShared: boolean
}

/** Returns the keys of the option, or a random key of this process. */
export function openKeys(texts: readonly string[] | undefined): KeyRing {
  if (texts !== undefined) {
    if (texts.length === 0) throw new TypeError('encryptionKeys needs a key: openssl rand -base64 32')
    return { keys: parseEncryptionKeys(texts), areShared: true }
  }
  return { keys: [crypto.getRandomValues(new Uint8Array(32))], areShared: false }
}
