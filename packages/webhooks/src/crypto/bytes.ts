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
