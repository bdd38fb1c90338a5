const quote = 0x22
const backslash = 0x5c

/**
 * Bounds the time that an unverified body costs: parsing takes up to 500 ns for each token, and 1 ns for a byte of a
 * string. An event of a service has some hundred separators.
 */
const maximumSeparators = 20_000

/**
 * The forms that a body may have been signed in by a service that signs its own compact serialization of the JSON:
 *
 * 1. the bytes as they came;
 * 2. these bytes without the white space between tokens, every token untouched;
 * 3. the parsed value, serialized again, of a body with at most 20,000 separators (`,`, `:`, `[` and `{`).
 *
 * All are functions of the body alone, so accepting any of them admits nobody without the secret. The form that a
 * signature holds for is the one that is parsed and stored. Forms that equal an earlier one are left out.
 *
 * @example
 * ```ts
 * import { compactJson, hmac } from '@sallyport/webhooks'
 *
 * const signature = hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-front-signature', forms: compactJson })
 * ```
 */
export function* compactJson(body: Uint8Array): Generator<Uint8Array> {
  yield body
  const { separators, whiteSpace } = countTokens(body)
  const compact = whiteSpace > 0 ? withoutWhiteSpace(body, body.length - whiteSpace) : body
  if (whiteSpace > 0) yield compact
  const serialized = separators > maximumSeparators ? undefined : serializedAgain(body, compact)
  if (serialized) yield serialized
}

/** Counts the separators and the bytes of white space outside of strings. */
function countTokens(body: Uint8Array): { readonly separators: number; readonly whiteSpace: number } {
  let separators = 0
  let whiteSpace = 0
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number
    if (byte === quote) index = endOfString(body, index)
    else if (isWhiteSpace(byte)) whiteSpace++
    // , : [ {
    else if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) separators++
  }
  return { separators, whiteSpace }
}

function withoutWhiteSpace(body: Uint8Array, length: number): Uint8Array {
  const compact = new Uint8Array(length)
  let written = 0
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number
    if (isWhiteSpace(byte)) continue
    const end = byte === quote ? endOfString(body, index) : index
    while (index < end) compact[written++] = body[index++] as number
    compact[written++] = body[end] as number
  }
  return compact
}

/** The index of the quote that closes a string, or of the last byte. */
function endOfString(body: Uint8Array, start: number): number {
  const last = body.length - 1
  let index = start + 1
  for (; index < last; index++) {
    const byte = body[index]
    if (byte === quote) return index
    if (byte === backslash) index++
  }
  return last
}

const isWhiteSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

/**
 * Returns undefined when the serialization equals the compact body, for a body that is not JSON, and for one that nests
 * deeper than the engine can serialize.
 */
function serializedAgain(body: Uint8Array, compact: Uint8Array): Uint8Array | undefined {
  // Strings compare faster than bytes.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const text = decoder.decode(body)
    const serialized = JSON.stringify(JSON.parse(text))
    if (serialized === (compact === body ? text : decoder.decode(compact))) return undefined
    return new TextEncoder().encode(serialized)
  } catch {
    return undefined
  }
}
