import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { deriveKeys } from './derive-keys.ts'
import type { SecretCipher } from './store.ts'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/**
 * Parses encryption keys: 32 bytes each, in base64, base64url or hexadecimal.
 *
 * @throws TypeError for another key; the message holds no part of the key
 *
 * @example
 * ```ts
 * import { createSecretCipher, parseEncryptionKeys } from '@sallyport/webhooks/endpoints'
 *
 * const cipher = createSecretCipher(parseEncryptionKeys((process.env.ENCRYPTION_KEYS ?? '').split(',')))
 * ```
 */
export function parseEncryptionKeys(texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text, index) => {
    const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
    const isComplete = /^[\w+/-]+={0,2}$/.test(text) && key.length === keyBytes
    if (!isComplete)
      throw new TypeError(
        `Encryption key ${index + 1} is not 32 bytes in base64 or hexadecimal: create a key by openssl rand -base64 32`,
      )
    return key
  })
}

/**
 * Creates a cipher with AES-256-GCM. The first key encrypts, and all keys decrypt. The context is associated data: a
 * ciphertext that is copied to another endpoint does not decrypt.
 *
 * A ciphertext is `v1.<key id>.<base64url of IV, ciphertext and tag>`. The key id is derived from the key by HKDF.
 *
 * @param keys 32 bytes each, newest first
 * @throws TypeError without a key, and for a key of another length
 *
 * @see NIST SP 800-38D
 */
export function createSecretCipher(keys: readonly Uint8Array[]): SecretCipher {
  if (keys.some((key) => key.length !== keyBytes)) throw new TypeError('An encryption key has 32 bytes')
  // With the bytes of a key, each decryption creates a key object: three quarters of its time.
  const byId = new Map(keys.map((key) => [getKeyId(key), createSecretKey(key)]))
  const [newest] = byId
  if (newest === undefined) throw new TypeError('A cipher needs an encryption key')
  const [newestId, newestKey] = newest

  return {
    encrypt(secret, context) {
      // A random IV is safe for 2^32 encryptions per key; secrets of endpoints are far fewer.
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', newestKey, iv).setAAD(Buffer.from(context))
      const sealed = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `v1.${newestId}.${Buffer.concat(sealed).toString('base64url')}`
    },

    decrypt(encrypted, context) {
      const [version, id = '', text = ''] = encrypted.split('.')
      const key = version === 'v1' ? byId.get(id) : undefined
      if (key === undefined)
        throw new Error('No encryption key decrypts this secret: add its key to the key ring')
      const bytes = Buffer.from(text, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes))
        return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new Error('The stored secret was changed, or belongs to another endpoint')
      }
    },

    isCurrent: (encrypted) => encrypted.startsWith(`v1.${newestId}.`),
  }
}

const getKeyId = (key: Uint8Array): string =>
  Buffer.from(deriveKeys([key], 'encryption key id', 6)[0] ?? []).toString('base64url')
