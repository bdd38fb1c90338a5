import { SallyportError } from '@sallyport/errors'

// Keeps a byte order mark, which the parser rejects (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses unambiguous JSON: UTF-8 without a byte order mark and without duplicate fields.
 *
 * @throws SallyportError 400 `INVALID_JSON`
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    // The message of the parser would quote the body.
    throw new SallyportError('INVALID_JSON', 'The body is not JSON in UTF-8')
  }
  // Parsers disagree about duplicate fields (RFC 8259, section 4).
  if (countColons(text) > countMembers(value)) {
    throw new SallyportError('INVALID_JSON', 'The body names a field of an object twice')
  }
  return value
}

/** Counts the colons outside of strings in a valid JSON text, one per member of an object. */
function countColons(text: string): number {
  let members = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isString = !isString
    else if (isString && character === '\\') index += 1
    else if (!isString && character === ':') members += 1
  }
  return members
}

/** Counts the members of all objects in a value. Not recursive, because deep values would overflow the stack. */
function countMembers(value: unknown): number {
  let members = 0
  const rest = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null) continue
    const values: readonly unknown[] = Object.values(next)
    if (!Array.isArray(next)) members += values.length
    for (const inner of values) rest.push(inner)
  }
  return members
}
