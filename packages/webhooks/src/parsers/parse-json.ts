import { hasLongDigits, quoteLargeIntegers } from '@sallyport/internal/large-integers'
import type { LargeIntegers } from './large-integers.ts'
import { invalidJson } from '../ports/refusals.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** No known service nests deeper, and recursive code can walk such a value. */
const maxDepth = 100

/**
 * Parses JSON in strict UTF-8, at most 100 levels deep. A byte order mark is skipped. Integers outside of the safe range become
 * strings with their exact digits, or numbers.
 *
 * @throws SallyportError `INVALID_JSON` (400) for any other body; the message holds no part of the body
 */
export function parseJson(body: Uint8Array, largeIntegers: LargeIntegers = 'text'): unknown {
  let text: string
  let value: unknown
  try {
    text = decoder.decode(body)
    value = JSON.parse(text)
  } catch {
    // The error quotes the body, so it is not the cause.
    throw invalidJson('The body is not JSON in UTF-8')
  }
  if (isTooDeep(text, value)) throw invalidJson(`The body nests deeper than ${maxDepth} levels`)
  if (largeIntegers === 'number' || !hasLongDigits(body)) return value
  const quoted = quoteLargeIntegers(text)
  if (quoted.length === text.length) return value
  const exact: unknown = JSON.parse(quoted)
  if (typeof exact === 'object' && exact !== null) withTexts.add(exact)
  return exact
}

/** The payloads in which a string replaces an integer. */
const withTexts = new WeakSet<object>()

/** Reports whether `JSON.parse` may give another value for a body that `parseJson` has parsed. */
export const differsFromJson = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null ? withTexts.has(payload) : typeof payload === 'string'

/** Marks a changed copy of a payload as {@link differsFromJson} marks the payload. Returns the copy. */
export function keepDifference(payload: unknown, copy: unknown): unknown {
  if (differsFromJson(payload) && typeof copy === 'object' && copy !== null) withTexts.add(copy)
  return copy
}

/** Reports whether a value nests deeper than 100 levels. `text` is its JSON. */
export function isTooDeep(text: string, value: unknown): boolean {
  // Most bodies have few brackets: counting takes a fraction of the time of `nestsTooDeep`.
  return countUpToLimit(text, '{') + countUpToLimit(text, '[') > maxDepth && nestsTooDeep(value, 1)
}

/** Counts the brackets of a text, at most `maxDepth + 1`. */
function countUpToLimit(text: string, bracket: string): number {
  let count = 0
  for (let at = text.indexOf(bracket); at >= 0 && count <= maxDepth; at = text.indexOf(bracket, at + 1))
    count++
  return count
}

function nestsTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > maxDepth) return true
  // `Object.values` takes a quarter of the time of reading each key.
  return Object.values(value).some((member) => typeof member === 'object' && nestsTooDeep(member, depth + 1))
}
