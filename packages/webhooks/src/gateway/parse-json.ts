import { invalidJson } from './refusals.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** No known service nests deeper, and recursive code can walk such a value. */
const maxDepth = 100

/**
 * Parses JSON in strict UTF-8, at most 100 levels deep. A byte order mark is skipped.
 *
 * @throws SallyportError `INVALID_JSON` (400) for any other body; the message holds no part of the body
 */
export function parseJson(body: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = decoder.decode(body)
    value = JSON.parse(text)
  } catch {
    // The error quotes the body, so it is not the cause.
    throw invalidJson('The body is not JSON in UTF-8')
  }
  if (mayNestTooDeep(text) && nestsTooDeep(value, 1)) {
    throw invalidJson(`The body nests deeper than ${maxDepth} levels`)
  }
  return value
}

/**
 * Reports whether the text may nest too deep: at least 101 opening brackets, followed by at least 101 closing brackets.
 * Brackets in strings can only cause a false positive. This check takes a fraction of the time of `nestsTooDeep`.
 */
function mayNestTooDeep(text: string): boolean {
  let brace = text.indexOf('{')
  let bracket = text.indexOf('[')
  let opened = 0
  let at = -1
  while (opened <= maxDepth) {
    // Both are -1: the text has no further opening bracket.
    if (brace === bracket) return false
    opened++
    // As an unsigned number, -1 is larger than every index.
    if (brace >>> 0 < bracket >>> 0) {
      at = brace
      brace = text.indexOf('{', at + 1)
    } else {
      at = bracket
      bracket = text.indexOf('[', at + 1)
    }
  }
  const closing = /[}\]]/g
  closing.lastIndex = at
  let closed = 0
  while (closed <= maxDepth && closing.test(text)) closed++
  return closed > maxDepth
}

function nestsTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > maxDepth) return true
  // `Object.values` takes a quarter of the time of reading each key.
  return Object.values(value).some((member) => typeof member === 'object' && nestsTooDeep(member, depth + 1))
}
