const quote = 0x22
const backslash = 0x5c

/**
 * Limits the time for an unverified body: parsing takes up to 500 ns per token, and 1 ns per byte of a string. Events have
 * some hundred separators.
 */
const maximumSeparators = 20_000

/**
 * Lists the forms of a body that a service may sign when it signs its own compact serialization of the JSON:
 *
 * 1. the received bytes
 * 2. these bytes without the white space around separators and brackets, for a body whose other tokens have none between them
 * 3. the parsed value, serialized again, for a body with at most 20,000 separators (`,`, `:`, `[` and `{`)
 *
 * Each form depends only on the body: a sender without the secret cannot sign any of them. The verified form is parsed and
 * stored. Equal forms are omitted.
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
  const { compact, separators } = removeWhiteSpace(body)
  if (compact.length < body.length) yield compact
  const serialized = separators > maximumSeparators ? undefined : serialize(body, compact)
  if (serialized) yield serialized
}

/** Reports whether an unverified body has few enough separators to be parsed. */
export function isCheapJson(body: Uint8Array): boolean {
  return removeWhiteSpace(body).separators <= maximumSeparators
}

/**
 * Removes the white space outside of strings, and counts the separators. White space that has no separator or bracket on either
 * side is not JSON: the body stays unchanged.
 */
function removeWhiteSpace(body: Uint8Array): { compact: Uint8Array; separators: number } {
  const compact = new Uint8Array(body.length)
  let length = 0
  let separators = 0
  let isJson = true
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number
    if (isWhiteSpace(byte)) continue
    if (index > 0 && isWhiteSpace(body[index - 1] as number) && length > 0) {
      isJson &&= isPunctuation(byte) || isPunctuation(compact[length - 1] as number)
    }
    // , : [ {
    if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) separators++
    const end = byte === quote ? findStringEnd(body, index) : index
    while (index < end) compact[length++] = body[index++] as number
    compact[length++] = body[end] as number
  }
  return { compact: isJson ? compact.subarray(0, length) : body, separators }
}

const isPunctuation = (byte: number): boolean =>
  byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x5d || byte === 0x7b || byte === 0x7d

/** Returns the index of the quote that closes a string, or of the last byte. */
function findStringEnd(body: Uint8Array, start: number): number {
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

/** Returns undefined for an equal serialization, for invalid JSON, and for JSON that nests too deep for the engine. */
function serialize(body: Uint8Array, compact: Uint8Array): Uint8Array | undefined {
  // Strings compare faster than bytes.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const text = decoder.decode(body)
    const serialized = JSON.stringify(JSON.parse(text))
    if (serialized === decoder.decode(compact)) return undefined
    return new TextEncoder().encode(serialized)
  } catch {
    return undefined
  }
}
