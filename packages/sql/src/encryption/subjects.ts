import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { readPrefix, readRow } from '@sallyport/internal/destination-row'
import type { Lane } from '@sallyport/webhooks'
import { decryptionFailed, keyMissing } from './key-ring.ts'

/** Encrypts subjects so that equal subjects stay equal: an index finds them, and lists show them. */
export interface Subjects {
  /** Sets the key of the database. */
  readonly unlock: (secret: KeyObject) => void
  /** Returns the stored form of an escaped text: the text itself without the option. */
  readonly seal: (text: string) => string
  /** @throws SallyportError `ENCRYPTION_KEY_MISSING`, or `DECRYPTION_FAILED` for a changed text */
  readonly open: (stored: string) => string
  /** Returns the encrypted forms that rows can have of an escaped text. */
  readonly find: (text: string) => readonly string[]
  /** Replaces the name of a lane, which can have a subject, by its hash. */
  readonly hashLane: (lane: Lane) => Lane
  readonly lacksKey: (stored: string) => boolean
}

/** No escaped text starts with these characters. */
const mark = '\\s'
const ivBytes = 16

/** @param encryptsNew whether new subjects are encrypted */
export function createSubjects(encryptsNew: boolean): Subjects {
  let keys: ReturnType<typeof deriveKeys> | undefined
  const requireKeys = () => {
    if (keys === undefined) throw keyMissing()
    return keys
  }
  const isSealed = (stored: string) => stored.startsWith(mark)

  /** The IV is a MAC of the text (a synthetic IV), so that two texts never share one. */
  function encrypt(text: string): string {
    if (text === '') return text
    const { mac, cipher } = requireKeys()
    const iv = hmac(mac, text)
    const encryption = createCipheriv('aes-256-ctr', cipher, iv)
    return mark + Buffer.concat([iv, encryption.update(text), encryption.final()]).toString('base64url')
  }

  return {
    unlock(secret) {
      keys = deriveKeys(secret)
    },
    seal: (text) => (encryptsNew ? encrypt(text) : text),
    find: (text) => (keys === undefined || text === '' ? [] : [encrypt(text)]),
    lacksKey: (stored) => keys === undefined && isSealed(stored),

    open(stored) {
      if (!isSealed(stored)) return stored
      const { mac, cipher } = requireKeys()
      const bytes = Buffer.from(stored.slice(mark.length), 'base64url')
      const iv = bytes.subarray(0, ivBytes)
      if (iv.byteLength < ivBytes) throw decryptionFailed()
      const decryption = createDecipheriv('aes-256-ctr', cipher, iv)
      const text = Buffer.concat([decryption.update(bytes.subarray(ivBytes)), decryption.final()])
      if (!timingSafeEqual(hmac(mac, text), iv)) throw decryptionFailed()
      return text.toString('utf8')
    },

    hashLane(lane) {
      // The unordered lanes of a destination have numbers.
      const isNumbered = !lane.isOrdered && readRow(lane.name).destination !== undefined
      if (!encryptsNew || isNumbered) return lane
      const hash = hmac(requireKeys().lane, lane.name).toString('base64url')
      return { ...lane, name: `${readPrefix(lane.name)}~${hash}` }
    },
  }
}

function deriveKeys(secret: KeyObject) {
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
  return { mac: derive('subject IVs'), cipher: derive('subjects'), lane: derive('lanes') }
}

const hmac = (key: KeyObject, text: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, ivBytes)
