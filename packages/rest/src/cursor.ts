import { Buffer } from 'node:buffer'
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { CursorAnchor } from './keyset.ts'
import { integerOption } from './options.ts'
import { isScalar, type Scalar } from './scalar.ts'

export interface CursorCodecOptions {
  /**
   * Secrets of at least 32 bytes. The first key signs, and every key verifies. To rotate, put the new key first and
   * remove the old one later.
   */
  readonly keys: readonly (Uint8Array | string)[]
  /**
   * Maximum length of a cursor in characters, for encoding and decoding. The default holds about 1,400 bytes of sort
   * values as JSON. A list sorted by longer values needs about 4/3 of their bytes, and URLs need the same room:
   * `maxQueryLength` of the list query and the limits of proxies.
   *
   * @default 2048
   */
  readonly maxLength?: number
}

/** Encodes anchors of cursor pages as opaque cursors and decodes them. */
export interface CursorCodec {
  /**
   * Encodes an anchor as a cursor.
   *
   * @throws TypeError when the cursor would be longer than `maxLength`
   */
  readonly encode: (anchor: CursorAnchor, binding: string) => string
  /** Decodes a cursor; `undefined` when no key of this codec signed it for this binding. */
  readonly decode: (cursor: string, binding: string) => CursorAnchor | undefined
}

/** Part of the signed content: a change of the format invalidates cursors of the previous format. */
const version = 'sallyport.cursor.2'

/**
 * Creates a codec for signed, versioned cursors that are context to a list, its sort and its filters.
 *
 * A cursor is the base64url of `tag || JSON`. The tag is HMAC-SHA256 over version, binding and JSON. A cursor is signed
 * but not encrypted: its holder can read the sort values of a row, so sort only by fields that the reader may see.
 * The codec uses `node:crypto`, which Node.js, Bun, Deno and workerd (`nodejs_compat`) have: WebCrypto is asynchronous
 * and takes twice as long for input of this size.
 *
 * @throws TypeError when `keys` is not an array, is empty or holds a key under 32 bytes, or `maxLength` is out of range
 * @example
 * ```ts
 * import { createCursorCodec } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const anchor = { at: 'after', position: ['2026-01-31T12:00:00.000Z', 'id-1'] } as const
 * const cursor = cursors.encode(anchor, 'users by created_at')
 * cursors.decode(cursor, 'users by created_at') // anchor
 * ```
 */
export function createCursorCodec({ keys, maxLength = 2048 }: CursorCodecOptions): CursorCodec {
  const given: unknown = keys
  if (!Array.isArray(given)) throw new TypeError('keys must be an array')
  const bytes = keys.map((key) => (typeof key === 'string' ? Buffer.from(key) : key))
  if (bytes.some(({ byteLength }) => byteLength < 32)) {
    throw new TypeError('Each key that signs cursors needs at least 32 bytes')
  }
  integerOption('maxLength', maxLength, 1)
  const secrets = bytes.map((key) => createSecretKey(key))
  const [signingKey] = secrets
  if (signingKey === undefined) throw new TypeError('keys must hold at least one key')
  return {
    encode(anchor, binding) {
      const position = 'position' in anchor ? anchor.position.map(pack) : []
      const bytes = Buffer.from(noTag + JSON.stringify([anchor.at, ...position]))
      bytes.set(createTag(signingKey, formatContext(binding), bytes.subarray(tagLength)))
      const cursor = bytes.toString('base64url')
      if (cursor.length > maxLength) {
        throw new TypeError(
          `The sort values of the row need a cursor longer than ${maxLength} characters; set a larger maxLength`,
        )
      }
      return cursor
    },
    decode(cursor, binding) {
      if (cursor.length > maxLength) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // Buffer ignores characters outside base64url. Accept only the canonical encoding.
      if (bytes.length <= tagLength || bytes.toString('base64url') !== cursor) return undefined
      const given = bytes.subarray(0, tagLength)
      const payload = bytes.subarray(tagLength)
      const context = formatContext(binding)
      const genuine = secrets.some((key) => timingSafeEqual(given, createTag(key, context, payload)))
      return genuine ? unpack(payload.toString()) : undefined
    },
  }
}

/** Whether a text has the form of a cursor: canonical base64url of a tag and an anchor. Does not check the signature. */
export function isCursorForm(cursor: string): boolean {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= tagLength || bytes.toString('base64url') !== cursor) return false
  try {
    return unpack(bytes.toString('utf8', tagLength)) !== undefined
  } catch {
    // The payload is unsigned here, so it may be any text.
    return false
  }
}

/** In bytes: half of the hash, the minimum that RFC 2104 section 5 recommends for a truncated tag. */
const tagLength = 16

const createTag = (key: KeyObject, context: string, payload: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(context).update(payload).digest().subarray(0, tagLength)

/** Placeholder for the tag. */
const noTag = ' '.repeat(tagLength)

/** The length prefix keeps the boundary between binding and payload unambiguous. */
const formatContext = (binding: string): string => `${version}\n${Buffer.byteLength(binding)}\n${binding}`

/** Converts a scalar to JSON; bigints and dates become `[kind, text]`. */
export function pack(value: Scalar | null): string | number | boolean | null | readonly [string, string] {
  if (typeof value === 'bigint') return ['bigint', String(value)]
  return value instanceof Date ? ['time', value.toISOString()] : value
}

function unpack(payload: string): CursorAnchor | undefined {
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
