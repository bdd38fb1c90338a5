const quote = 0x22
const backslash = 0x5c

/**
 * The forms that a body may have been signed in by a service that signs its own compact serialization of the JSON:
 *
 * 1. the bytes as they came;
 * 2. these bytes without the white space between tokens, every token untouched;
 * 3. the parsed value, serialized again.
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
  const compact = withoutWhiteSpace(body)
  if (compact.length < body.length) yield compact
  const serialized = serializedAgain(body)
  if (serialized && !equalBytes(serialized, compact)) yield serialized
}

function withoutWhiteSpace(body: Uint8Array): Uint8Array {
  const compact = new Uint8Array(body.length)
  let length = 0
  let inString = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number
    if (!inString && (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)) continue
    compact[length++] = byte
    if (byte === quote) inString = !inString
    else if (inString && byte === backslash && index + 1 < body.length)
      compact[length++] = body[++index] as number
  }
  return compact.subarray(0, length)
}

/** Undefined for what is no JSON, or is nested deeper than the engine writes. */
function serializedAgain(body: Uint8Array): Uint8Array | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return new TextEncoder().encode(JSON.stringify(JSON.parse(text)))
  } catch {
    return undefined
  }
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}
