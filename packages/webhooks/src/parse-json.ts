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
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch {
    // The reason is not kept: it quotes the body.
    throw invalidJson('The body is not JSON in UTF-8')
  }
  if (!isWithinDepth(value, maximumDepth)) {
    throw invalidJson(`The body nests deeper than ${maximumDepth} levels`)
  }
  return value
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  // Taking all values of an object at once costs a quarter of asking for them by name; this runs over every delivery.
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !isWithinDepth(member, depth - 1)) return false
  }
  return true
}
