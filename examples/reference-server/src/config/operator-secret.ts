import { randomBytes } from 'node:crypto'
import { base64Secret } from '@sallyport/webhooks'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'

/** The secret that signs notifications. */
export const operatorSecretName = 'OPERATOR_SECRET'

const prefix = 'whsec_'
const decode = base64Secret(prefix)
const form = `has to be ${prefix} and base64, such as ${prefix}$(openssl rand -base64 32)`

export const randomOperatorSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Reports problems of the secret when OPERATOR_URL is set. Outside production, a missing secret is generated. */
export function operatorProblems(given: SecretStore, production: boolean): readonly string[] {
  const secrets = given.all(operatorSecretName)
  if (secrets.length > 0) return secrets.every(isReadable) ? [] : [`${operatorSecretName} ${form}`]
  if (!production) return []
  return [given.failure(operatorSecretName) ?? `${operatorSecretName} is missing: it ${form}`]
}

/** @throws Error for a missing or malformed secret; the message does not contain the secret */
export function usableOperatorSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) throw new Error(`${operatorSecretName} is missing`)
  if (!secrets.every(isReadable)) throw new Error(`${operatorSecretName} ${form}`)
  return secrets
}

function isReadable(secret: string): boolean {
  try {
    return decode(secret).length > 0
  } catch {
    return false
  }
}
