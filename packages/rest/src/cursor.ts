import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { cursorTag, tagLength } from './cursor-tag.ts'
import type { CursorPlace } from './keyset.ts'
import { integerOption } from './options.ts'
import { isScalar, type Scalar } from './scalar.ts'

export interface CursorCodecOptions {
  /**
   * Secrets of at least 32 bytes: the first signs, all verify, so that a key is rotated by putting a new one in
   * front and dropping the old one a while later.
   */
  readonly keys: readonly (Uint8Array | string)[]
  /**
   * Longest cursor that is made and read, in characters. A cursor holds the sort values of one row: at the default, some
   * 1,400 bytes of text in JSON. A list that is sorted by longer ones needs more, about 4/3 of their bytes, and as much
   * room in URLs: `maxQueryLength` of the list query, and what proxies allow.
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

/**
 * Cursors that are opaque, signed, versioned, and bound to the list, sort and filters that they were made for.
 *
 * A cursor is the base64url of `tag || JSON`; the tag is HMAC-SHA256 over version, binding and JSON. It is signed,
 * not encrypted: who holds a cursor can read the sort values of the row that it stands on, so sort only by fields
 * that the reader may see. Uses `node:crypto`, which Node, Bun, Deno and workerd (`nodejs_compat`) have, because
 * WebCrypto is asynchronous and half as fast on input of this size.
 *
 * @throws TypeError without an array of keys, with a short one, or for an option out of range
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
  const given: unknown = keys
  if (!Array.isArray(given)) throw new TypeError('keys must be an array')
  const bytes = keys.map((key) => (typeof key === 'string' ? Buffer.from(key) : key))
  if (bytes.some(({ byteLength }) => byteLength < 32)) {
    throw new TypeError('A key that signs cursors has at least 32 bytes')
  }
  integerOption('maxLength', maxLength, 1)
  const tags = bytes.map(cursorTag)
  const [sign] = tags
  if (sign === undefined) throw new TypeError('A cursor codec needs a key')
  return {
    encode(place, binding) {
      const position = 'position' in place ? place.position.map(pack) : []
      const bytes = Buffer.from(noTag + JSON.stringify([place.at, ...position]))
      bytes.write(sign(boundOf(binding), bytes.subarray(tagLength)), 'latin1')
      const cursor = bytes.toString('base64url')
      if (cursor.length > maxLength) {
        throw new TypeError(
          `The sort values of a row make a cursor longer than ${maxLength} characters: set a larger maxLength`,
        )
      }
      return cursor
    },
    decode(cursor, binding) {
      if (cursor.length > maxLength) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // Buffer skips what is not base64url; only the canonical spelling of the bytes is taken.
      if (bytes.length <= tagLength || bytes.toString('base64url') !== cursor) return undefined
      const given = bytes.subarray(0, tagLength)
      const payload = bytes.subarray(tagLength)
      const bound = boundOf(binding)
      const genuine = tags.some((tag) => timingSafeEqual(given, Buffer.from(tag(bound, payload), 'latin1')))
      return genuine ? unpack(payload.toString()) : undefined
    },
  }
}

/**
 * Whether a text has the form of a cursor: bytes in their one spelling, with a place behind the tag. It says nothing
 * about who made it, and for what.
 */
export function isCursorForm(cursor: string): boolean {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= tagLength || bytes.toString('base64url') !== cursor) return false
  try {
    return unpack(bytes.toString('utf8', tagLength)) !== undefined
  } catch {
    // Of a text that nobody has signed, what follows the tag may be anything.
    return false
  }
}

/** Where the tag comes to stand. */
const noTag = ' '.repeat(tagLength)

/** The length in front keeps a binding and a payload from being cut at another place. */
const boundOf = (binding: string): string => `${version}\n${Buffer.byteLength(binding)}\n${binding}`

/** A scalar as JSON; what JSON does not know is an array of its kind and text. */
export function pack(value: Scalar | null): string | number | boolean | null | readonly [string, string] {
  if (typeof value === 'bigint') return ['bigint', String(value)]
  return value instanceof Date ? ['time', value.toISOString()] : value
}

function unpack(payload: string): CursorPlace | undefined {
  const [at, ...values] = JSON.parse(payload) as readonly unknown[]
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
