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
  if (opensMoreThan(text, maximumDepth) && !isWithinDepth(value, maximumDepth)) {
    throw invalidJson(`The body nests deeper than ${maximumDepth} levels`)
  }
  return value
}

/** Whether there are more brackets than that; few cannot be deep, and finding those is less than walking the value. */
function opensMoreThan(text: string, most: number): boolean {
  let brackets = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > most) return true
    }
  }
  return false
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
