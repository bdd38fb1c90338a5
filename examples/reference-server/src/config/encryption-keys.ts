import { randomBytes } from 'node:crypto'
import { parseEncryptionKeys } from '@sallyport/webhooks/endpoints'

/** The keys that encrypt the secrets of endpoints and stored deliveries. */
export const encryptionKeysName = 'ENCRYPTION_KEYS'

export const randomEncryptionKey = (): string => randomBytes(32).toString('base64')

/** Parses the keys, newest first, and adds their problems to the list. No problem holds a part of a key. */
export function readEncryptionKeys(texts: readonly string[], problems: string[]): readonly Uint8Array[] {
  try {
    return parseEncryptionKeys(texts)
  } catch (error) {
    problems.push(`${encryptionKeysName}: ${(error as Error).message}`)
    return []
  }
}
