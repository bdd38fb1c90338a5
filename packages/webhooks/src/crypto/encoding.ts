import type { ContentPart } from './crypto.ts'

const encoder = new TextEncoder()

/** Encodes text as UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** Joins the parts. A single byte array is returned without a copy. */
export function joinBytes(parts: readonly ContentPart[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.map((part) => (typeof part === 'string' ? utf8(part) : part))
  if (pieces.length === 1) return pieces[0] as Uint8Array<ArrayBuffer>
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

/** How a digest is written: hexadecimal in lower or upper case, base64 with padding, or base64url without padding. */
export type DigestEncoding = 'hex' | 'hex-upper' | 'base64' | 'base64url'

/** @throws TypeError for an unknown encoding */
export function requireEncoding(name: string, encoding: string): void {
  if (!['hex', 'hex-upper', 'base64', 'base64url'].includes(encoding))
    throw new TypeError(`${name} must be hex, hex-upper, base64 or base64url`)
}

/** Encodes bytes as text in the canonical form of the encoding. */
export function encodeBytes(encoding: DigestEncoding, bytes: Uint8Array): string {
  let text = ''
  if (encoding === 'hex' || encoding === 'hex-upper') {
    for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
    return encoding === 'hex' ? text : text.toUpperCase()
  }
  for (const byte of bytes) text += String.fromCharCode(byte)
  const base64 = btoa(text)
  return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Longer than all keys and signatures. */
const maxLength = 16_384

/**
 * Decodes a text in canonical form, and returns undefined for every other text. The encoded bytes must equal the text, which
 * rejects white space, another case, missing padding and unused bits.
 */
export function decodeText(
  encoding: DigestEncoding,
  text: string,
  limit = maxLength,
): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > limit) return undefined
  const bytes = encoding.startsWith('hex') ? fromHex(text) : fromBase64(text)
  return bytes !== undefined && encodeBytes(encoding, bytes) === text ? bytes : undefined
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length >> 1 }, (_, index) =>
    parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
