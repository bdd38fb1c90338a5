import { Buffer } from 'node:buffer'
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { CursorPlace } from './keyset.ts'
import { isScalar, type Scalar } from './scalar.ts'

export interface CursorCodecOptions {
  /**
   * Secrets of at least 32 bytes: the first signs, all verify, so that a key is rotated by putting a new one in
   * front and dropping the old one a while later.
   */
  readonly keys: readonly (Uint8Array | string)[]
  /**
   * Longest cursor that is read, in characters.
   *
   * @default 2048
   */
  readonly maxLength?: number
}

/** Turns places in a list into opaque cursors and back. */
export interface CursorCodec {
  /**
   * The cursor of a place.
   *
   * @throws TypeError when the cursor would be longer than `maxLength`
   */
  readonly encode: (place: CursorPlace, binding: string) => string
  /** The place of a cursor, or `undefined` when it was not made by these keys for this binding. */
  readonly decode: (cursor: string, binding: string) => CursorPlace | undefined
}

/** Part of what is signed: a change of the format makes the cursors of the old one invalid, not misread. */
const version = 'sallyport.cursor.2'

/** Half of the hash's length, the least that RFC 2104 section 5 recommends for a truncated tag. */
const tagLength = 16

/**
 * Cursors that are opaque, signed, versioned, and bound to the list, sort and filters that they were made for.
 *
 * A cursor is the base64url of `tag || JSON`; the tag is HMAC-SHA256 over version, binding and JSON. It is signed,
 * not encrypted: who holds a cursor can read the sort values of the row that it stands on, so sort only by fields
 * that the reader may see. Uses `node:crypto`, which Node, Bun, Deno and workerd (`nodejs_compat`) have, because
 * WebCrypto is asynchronous and half as fast on input of this size.
 *
 * @example
 * ```ts
 * import { createCursorCodec } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const place = { at: 'after', position: ['2026-01-31T12:00:00.000Z', 'id-1'] } as const
 * const cursor = cursors.encode(place, 'users by created_at')
 * cursors.decode(cursor, 'users by created_at') // place
 * ```
 */
export function createCursorCodec({ keys, maxLength = 2048 }: CursorCodecOptions): CursorCodec {
  const bytes = keys.map((key) => (typeof key === 'string' ? Buffer.from(key) : key))
  if (bytes.some(({ byteLength }) => byteLength < 32)) {
    throw new TypeError('A key that signs cursors has at least 32 bytes')
  }
  // Made once: from bytes, each signature would take five times as long.
  const secrets = bytes.map((key) => createSecretKey(key))
  const [signing] = secrets
  if (signing === undefined) throw new TypeError('A cursor codec needs a key')
  return {
    encode(place, binding) {
      const position = 'position' in place ? place.position.map(pack) : []
      const payload = Buffer.from(JSON.stringify([place.at, ...position]))
      const cursor = Buffer.concat([tag(signing, binding, payload), payload]).toString('base64url')
      if (cursor.length > maxLength) {
        throw new TypeError(`The sort values of a row make a cursor longer than ${maxLength} characters`)
      }
      return cursor
    },
    decode(cursor, binding) {
      // Buffer skips what is not base64url; only the canonical spelling of the bytes is taken.
      if (cursor.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= tagLength || bytes.toString('base64url') !== cursor) return undefined
      const given = bytes.subarray(0, tagLength)
      const payload = bytes.subarray(tagLength)
      const genuine = secrets.some((secret) => timingSafeEqual(given, tag(secret, binding, payload)))
      return genuine ? unpack(payload) : undefined
    },
  }
}

function tag(key: KeyObject, binding: string, payload: Uint8Array): Buffer {
  const mac = createHmac('sha256', key)
  const bound = Buffer.from(binding)
  // The length in front keeps a binding and a payload from being cut at another place.
  mac.update(`${version}\n${bound.length}\n`).update(bound).update(payload)
  return mac.digest().subarray(0, tagLength)
}

/** A scalar as JSON; what JSON does not know is an array of its kind and text. */
export function pack(value: Scalar | null): string | number | boolean | null | readonly [string, string] {
  if (typeof value === 'bigint') return ['bigint', String(value)]
  return value instanceof Date ? ['time', value.toISOString()] : value
}

function unpack(payload: Uint8Array): CursorPlace | undefined {
  const [at, ...values] = JSON.parse(Buffer.from(payload).toString()) as readonly unknown[]
  if (at === 'start' || at === 'end') return values.length === 0 ? { at } : undefined
  if (at !== 'after' && at !== 'before') return undefined
  const position = values.map(unpackValue)
  return position.every((value) => value !== undefined) ? { at, position } : undefined
}

function unpackValue(value: unknown): Scalar | null | undefined {
  if (value === null || isScalar(value)) return value
  if (!Array.isArray(value)) return undefined
  const [kind, text] = value as unknown[]
  if (typeof text !== 'string') return undefined
  return kind === 'bigint' ? BigInt(text) : kind === 'time' ? new Date(text) : undefined
}
