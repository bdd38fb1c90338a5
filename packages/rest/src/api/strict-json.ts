import { SallyportError } from '@sallyport/errors'

// Keeps a byte order mark, which the parser rejects (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Recursive code, such as a schema or JSON.stringify, can walk such a value. */
const maxDepth = 100

/**
 * Parses unambiguous JSON: UTF-8 without a byte order mark and without duplicate fields, at most 100 levels deep.
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
  const { members, depth } = measure(text)
  if (depth > maxDepth) {
    throw new SallyportError('INVALID_JSON', `The body nests deeper than ${maxDepth} levels`)
  }
  // Parsers disagree about duplicate fields (RFC 8259, section 4).
  if (members > countMembers(value)) {
    throw new SallyportError('INVALID_JSON', 'The body names a field of an object twice')
  }
  return value
}

/** Counts the members of all objects in a valid JSON text, and the levels of its deepest value. */
function measure(text: string): { readonly members: number; readonly depth: number } {
  let members = 0
  let level = 0
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isString = !isString
    else if (isString) {
      if (character === '\\') index += 1
    } else if (character === ':') members += 1
    else if (character === '{' || character === '[') depth = Math.max(depth, ++level)
    else if (character === '}' || character === ']') level -= 1
  }
  return { members, depth }
}

/** Counts the members of all objects in a value. */
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
