import type { AnyProvider } from '@sallyport/webhooks'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import type { DevelopmentAdmin } from './config-model.ts'
import { developmentSecrets, randomSecret, webhookSecretName } from './development-secrets.ts'
import { encryptionKeysName, randomEncryptionKey } from './encryption-keys.ts'
import { operatorSecretName, randomOperatorSecret } from './operator-secret.ts'

/** Returns generators of the secrets that the store lacks, by name. */
export function createGenerators(
  given: SecretStore,
  providers: readonly AnyProvider[],
  hasOperators: boolean,
): Readonly<Record<string, () => string>> {
  const generators: Record<string, () => string> = {}
  if (given.all('JWT_SECRET').length === 0) generators['JWT_SECRET'] = randomSecret
  if (given.all(encryptionKeysName).length === 0) generators[encryptionKeysName] = randomEncryptionKey
  for (const { name, signature } of providers) {
    generators[webhookSecretName(name)] = () => signature.createSecret?.() ?? randomSecret()
  }
  if (hasOperators && given.all(operatorSecretName).length === 0)
    generators[operatorSecretName] = randomOperatorSecret
  return generators
}

/** Creates an admin whose password is written to `secrets.json` when the database stores the admin. */
export function createDevelopmentAdmin(dataDirectory: string): DevelopmentAdmin {
  const email = 'admin@example.com'
  const password = randomSecret()
  return {
    email,
    password,
    savePassword() {
      developmentSecrets(dataDirectory, { ADMIN_EMAIL: () => email, ADMIN_PASSWORD: () => password })
    },
  }
}
