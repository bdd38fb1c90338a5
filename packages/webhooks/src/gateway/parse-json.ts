import { invalidJson } from './refusals.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Deeper than any service nests its payloads, and shallow enough for code that walks one recursively. */
const maximumDepth = 100

/**
 * Reads bytes as JSON: strict UTF-8 (a byte order mark is passed over), at most 100 levels deep.
 *
 * @throws SallyportError `INVALID_JSON` (400) for anything else; the message says nothing of the content
 */
export function parseJson(body: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = decoder.decode(body)
    value = JSON.parse(text)
  } catch {
    // The reason is not kept: it quotes the body.
    throw invalidJson('The body is not JSON in UTF-8')
  }
  if (mayNestTooDeep(text) && nestsTooDeep(value, 1)) {
    throw invalidJson(`The body nests deeper than ${maximumDepth} levels`)
  }
  return value
}

/**
 * Whether the text leaves it open that something nests too deep, which takes a fraction of looking at every value.
 *
 * Where so much is open, as much was opened before and is closed behind; what strings hold only adds to both.
 */
function mayNestTooDeep(text: string): boolean {
  let brace = text.indexOf('{')
  let bracket = text.indexOf('[')
  let opened = 0
  let at = -1
  while (opened <= maximumDepth) {
    // Both are -1.
    if (brace === bracket) return false
    opened++
    // Without a sign, -1 is behind every place.
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
  while (closed <= maximumDepth && closing.test(text)) closed++
  return closed > maximumDepth
}

function nestsTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > maximumDepth) return true
  // Taking all values of an object at once costs a quarter of asking for them by name.
  return Object.values(value).some((member) => typeof member === 'object' && nestsTooDeep(member, depth + 1))
}
