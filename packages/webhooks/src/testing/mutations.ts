import { joinBytes } from '../crypto/encoding.ts'

/** Bodies up to this size are tried bit by bit. */
const smallBody = 64

/** In larger ones, so many positions are tried. */
const evenSpread = 256

/**
 * The bytes with one bit flipped; the first is the lowest of the first byte.
 *
 * @example
 * ```ts
 * import { flipBit } from '@sallyport/webhooks/testing'
 *
 * const body = new TextEncoder().encode('{"door":"front"}')
 * const tampered = flipBit(body, 9)
 * ```
 */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

/**
 * The text with one bit of one character flipped; bits below 8 keep it within Latin-1, as headers are.
 *
 * @example
 * ```ts
 * import { flipCharacter } from '@sallyport/webhooks/testing'
 *
 * const tampered = flipCharacter('sha256=0a1b', 7, 0) // sha256=1a1b
 * ```
 */
export function flipCharacter(text: string, index: number, bit: number): string {
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
  return text.slice(0, index) + flipped + text.slice(index + 1)
}

/** The bytes with one bit flipped: every bit of a small body, an even spread over a large one. */
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

/** The bytes with what readers of text take away: white space, or a byte order mark, in front of them and behind them. */
export function* surrounded(
  bytes: Uint8Array,
): Generator<{ readonly at: string; readonly bytes: Uint8Array }> {
  for (const text of [' ', '\n', '\r\n', '\t', '\ufeff']) {
    yield { at: `${JSON.stringify(text)} in front`, bytes: joinBytes([text, bytes]) }
    yield { at: `${JSON.stringify(text)} behind`, bytes: joinBytes([bytes, text]) }
  }
}

/** The text with one bit of one character flipped, within Latin-1 as headers are. */
export function* flippedText(text: string): Generator<{ readonly at: string; readonly text: string }> {
  for (let index = 0; index < text.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      yield { at: `character ${index}, bit ${bit}`, text: flipCharacter(text, index, bit) }
    }
  }
}

/** The same JSON value with the members of every object in reverse order. */
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
  // A loop, since bodies have megabytes: a callback for each byte takes seconds.
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
