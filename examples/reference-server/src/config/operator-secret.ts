import { randomBytes } from 'node:crypto'
import { base64Secret } from '@sallyport/webhooks'
import type { SecretStore } from './secrets.ts'

/** The secret that messages to the operators' gateway are signed with. */
export const operatorSecretName = 'OPERATOR_SECRET'

const prefix = 'whsec_'
const decode = base64Secret(prefix)
const form = `has to be base64 behind ${prefix}, such as ${prefix}$(openssl rand -base64 32)`

export const randomOperatorSecret = (): string => prefix + randomBytes(32).toString('base64')

/** What is wrong with the secret, where messages go to a gateway. Outside production a missing one is generated. */
export function operatorProblems(given: SecretStore, production: boolean): readonly string[] {
  const secrets = given.all(operatorSecretName)
  if (secrets.length > 0) return secrets.every(isReadable) ? [] : [`${operatorSecretName} ${form}`]
  if (!production) return []
  return [given.failure(operatorSecretName) ?? `${operatorSecretName} is missing: it ${form}`]
}

/** @throws Error when there is none, or it cannot be read, in words that say nothing of it */
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
