import { SallyportError } from '@sallyport/errors'
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { ivBytes, tagBytes, type DataKey } from './seal.ts'

const keyBytes = 32
const idBytes = 6

/** No JSON and no Zstandard frame starts with these bytes. Their number makes the Base64 of a head a prefix of that of its value. */
const mark = Buffer.of(1, 0, 0)

/** The length of a head: the mark, the id of the key that wraps, an IV, the wrapped key and a tag. */
export const headBytes = mark.byteLength + idBytes + ivBytes + keyBytes + tagBytes

/** The keys that wrap the keys of data. */
export interface KeyRing {
  /** Creates a key that the newest key wraps. */
  newKey(): DataKey
  /** Whether the ring has the key that wraps the key of a sealed value. */
  has(head: Uint8Array): boolean
  /**
   * Returns the key of a sealed value.
   *
   * @throws SallyportError `ENCRYPTION_KEY_MISSING`, or `DECRYPTION_FAILED` for a changed head
   */
  unwrap(head: Uint8Array): Uint8Array
  /** Returns a head under the newest key; undefined for one that already is. @throws as {@link KeyRing.unwrap} does */
  rewrap(head: Uint8Array): Uint8Array | undefined
}

/**
 * @param keys 32 bytes each, newest first
 * @throws TypeError for a key of another length
 */
export function createKeyRing(keys: readonly Uint8Array[]): KeyRing {
  if (keys.some((key) => key.byteLength !== keyBytes)) throw new TypeError('An encryption key has 32 bytes')
  const wrapping = keys.map((key) => ({
    id: derive(key, 'encryption key id', idBytes),
    key: createSecretKey(derive(key, 'data keys', keyBytes)),
  }))
  const byId = new Map(wrapping.map(({ id, key }) => [id.toString('hex'), key]))
  const idOf = (head: Uint8Array) =>
    Buffer.from(head.subarray(mark.byteLength, mark.byteLength + idBytes)).toString('hex')

  function wrap(key: Uint8Array): Uint8Array {
    const [newest] = wrapping
    if (newest === undefined) throw keyMissing()
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(mark)
    return Buffer.concat([mark, newest.id, iv, cipher.update(key), cipher.final(), cipher.getAuthTag()])
  }

  function unwrap(head: Uint8Array): Uint8Array {
    if (head.byteLength < headBytes) throw decryptionFailed()
    const wrapper = byId.get(idOf(head))
    if (wrapper === undefined) throw keyMissing()
    const sealed = head.subarray(mark.byteLength + idBytes, headBytes)
    try {
      const decipher = createDecipheriv('aes-256-gcm', wrapper, sealed.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(mark)
        .setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
    } catch {
      throw decryptionFailed()
    }
  }

  return {
    newKey() {
      const key = randomBytes(keyBytes)
      return { head: wrap(key), key: createSecretKey(key) }
    },
    has: (head) => byId.has(idOf(head)),
    unwrap,
    rewrap(head) {
      return idOf(head) === wrapping[0]?.id.toString('hex') ? undefined : wrap(unwrap(head))
    },
  }
}

export const isSealed = (bytes: Uint8Array): boolean => mark.every((byte, index) => bytes[index] === byte)

const derive = (key: Uint8Array, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `sallyport ${purpose}`, bytes))

export const keyMissing = (): SallyportError =>
  new SallyportError('ENCRYPTION_KEY_MISSING', 'No encryption key opens this row: add its key to the ring', {
    status: 503,
  })

export const decryptionFailed = (): SallyportError =>
  new SallyportError('DECRYPTION_FAILED', 'An encrypted value was changed, or belongs to another row', {
    status: 500,
  })
