import { createDecipheriv } from 'node:crypto'
import { createKeyRing, decryptionFailed, headBytes, isSealed, type KeyRing } from './key-ring.ts'
import { createSubjects, type Subjects } from './subjects.ts'
import { ivBytes, sealBytes, tagBytes, toAssociatedData, type DataKey } from './seal.ts'

/** The encryption of stored data. */
export interface EncryptionOptions {
  /**
   * 32 bytes each, newest first: the first key wraps the keys of new rows, and all keys open rows. Every process needs the same
   * keys. `parseEncryptionKeys` of `@sallyport/webhooks/endpoints` reads them.
   */
  readonly keys: readonly Uint8Array[]
  /** Whether new rows are encrypted. Encrypted rows are readable without it. @default true */
  readonly encryptsNew?: boolean
  /**
   * Whether new subjects of events are encrypted, and the names of new lanes hashed. A subject is found as a whole only, and not by
   * its start. Needs `encryptsNew`. @default false
   */
  readonly encryptsSubjects?: boolean
}

/** Seals and opens stored values. A value is bound to its context: the column and the row. */
export interface Vault {
  readonly ring: KeyRing
  readonly subjects: Subjects
  /** Whether the ring has a key. */
  readonly hasKeys: boolean
  /** Creates the key of a delivery; undefined when new rows are not encrypted. */
  readonly newKey: () => DataKey | undefined
  /** Seals a text under a key, by default one of its own; returns the text itself when new rows are not encrypted. */
  readonly seal: (text: string, context: string, key?: DataKey) => string
  /**
   * Opens a text; one that is not sealed is returned as it is.
   *
   * @throws SallyportError `ENCRYPTION_KEY_MISSING`, or `DECRYPTION_FAILED` for a value that was changed or belongs to another row
   */
  readonly open: (stored: string, context: string) => string
  /** Opens sealed bytes as {@link Vault.open} does; compressed bytes stay compressed. */
  readonly openBytes: (
    stored: Uint8Array,
    context: string,
  ) => { readonly encoding: 'identity' | 'zstd'; readonly body: Uint8Array }
  /** Whether a value is sealed under a key that the ring does not have. */
  readonly lacksKey: (stored: string | Uint8Array | null) => boolean
}

/** No JSON and no escaped text starts with these characters. */
export const textMark = '\\e'
/** The characters of a head after the mark. */
export const textHeadLength = (headBytes / 3) * 4

/** @throws TypeError for a key that has not 32 bytes, or for encryption without a key */
export function createVault({
  keys,
  encryptsNew = true,
  encryptsSubjects = false,
}: EncryptionOptions = noEncryption): Vault {
  if (encryptsNew && keys.length === 0) throw new TypeError('Encryption needs a key')
  const ring = createKeyRing(keys)
  const newKey = () => (encryptsNew ? ring.newKey() : undefined)

  function openBytes(stored: Uint8Array, context: string) {
    if (stored.byteLength < headBytes + 1 + ivBytes + tagBytes) throw decryptionFailed()
    const key = ring.unwrap(stored.subarray(0, headBytes))
    const form = stored[headBytes] ?? 0
    const sealed = stored.subarray(headBytes + 1)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(toAssociatedData(form, context))
        .setAuthTag(sealed.subarray(-tagBytes))
      const body = Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
      return { encoding: form === 1 ? ('zstd' as const) : ('identity' as const), body }
    } catch {
      throw decryptionFailed()
    }
  }

  return {
    ring,
    subjects: createSubjects(encryptsNew && encryptsSubjects),
    hasKeys: keys.length > 0,
    newKey,
    openBytes,

    seal(text, context, key = newKey()) {
      if (key === undefined) return text
      // Not compressed: claims limit the bytes of data by the lengths of texts.
      return textMark + Buffer.from(sealBytes(Buffer.from(text), false, key, context)).toString('base64url')
    },

    open(stored, context) {
      if (!stored.startsWith(textMark)) return stored
      return Buffer.from(openBytes(toBytes(stored), context).body).toString('utf8')
    },

    lacksKey(stored) {
      if (typeof stored === 'string') return stored.startsWith(textMark) && !ring.has(readHead(stored))
      return stored !== null && isSealed(stored) && !ring.has(stored)
    },
  }
}

const noEncryption: EncryptionOptions = { keys: [], encryptsNew: false }

const toBytes = (text: string): Uint8Array => Buffer.from(text.slice(textMark.length), 'base64url')

const readHead = (text: string): Uint8Array => toBytes(text.slice(0, textMark.length + textHeadLength))
