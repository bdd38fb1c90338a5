import { joinBytes } from '../crypto/encoding.ts'

/** The size up to which every bit of a body is flipped. */
const smallBody = 64

/** The number of flipped bits in a larger body. */
const evenSpread = 256

/**
 * Flips one bit. Bit 0 is the lowest bit of the first byte.
 */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

/**
 * Flips one bit of a character. Bits below 8 keep the text within Latin-1, like headers.
 */
export function flipCharacter(text: string, index: number, bit: number): string {
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
  return text.slice(0, index) + flipped + text.slice(index + 1)
}

/** Flips every bit of a small body, and evenly distributed bits of a large body. */
export function* flippedBits(
  bytes: Uint8Array,
  spread = evenSpread,
): Generator<{ readonly at: string; readonly bytes: Uint8Array }> {
  const bits = bytes.length * 8
  const step = bytes.length <= smallBody ? 1 : bits / spread
  for (let position = 0; position < bits; position += step) {
    const bit = Math.floor(position)
    yield { at: `byte ${bit >> 3}, bit ${bit & 7}`, bytes: flipBit(bytes, bit) }
  }
}

/** Adds white space or a byte order mark before and after the bytes, which text decoders remove. */
export function* surrounded(
  bytes: Uint8Array,
): Generator<{ readonly at: string; readonly bytes: Uint8Array }> {
  for (const text of [' ', '\n', '\r\n', '\t', '\ufeff']) {
    yield { at: `${JSON.stringify(text)} before`, bytes: joinBytes([text, bytes]) }
    yield { at: `${JSON.stringify(text)} after`, bytes: joinBytes([bytes, text]) }
  }
}

/** Flips every bit of a text within Latin-1. */
export function* flippedText(text: string): Generator<{ readonly at: string; readonly text: string }> {
  for (let index = 0; index < text.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      yield { at: `character ${index}, bit ${bit}`, text: flipCharacter(text, index, bit) }
    }
  }
}

/** Reverses the order of the members of every object. */
export function reversedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversedMembers(member)]),
  )
}

/** Compares two byte arrays. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  // A callback per byte would take seconds for megabytes.
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
