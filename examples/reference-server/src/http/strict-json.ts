import { SallyportError } from '@sallyport/errors'

// A byte order mark is left in, for the parser to refuse: JSON has none (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON of which there is one reading alone: UTF-8 without a byte order mark, and no field of an object twice.
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
    // The parser's own message would quote the body.
    throw new SallyportError('INVALID_JSON', 'The body is not JSON in UTF-8')
  }
  // Which of two is meant, readers do not agree on (RFC 8259, section 4).
  if (membersIn(text) > membersOf(value)) {
    throw new SallyportError('INVALID_JSON', 'The body names a field of an object twice')
  }
  return value
}

/** How many members the objects in a valid JSON text are written with: each has its colon, outside of strings. */
function membersIn(text: string): number {
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

/** How many members the objects in a value have; without recursion, which a deep one would overflow the stack by. */
function membersOf(value: unknown): number {
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
