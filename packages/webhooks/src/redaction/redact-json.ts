import { findStringEnd } from '@sallyport/internal/large-integers'
import { redacted } from '../schemes/redact.ts'
import type { Paths, Place } from './paths.ts'

const placeholder = JSON.stringify(redacted)

/**
 * Replaces the values at paths in a JSON text. All other characters stay: white space, the order of members, and the digits of
 * numbers.
 *
 * @param json valid JSON, at most 100 levels deep
 */
export function redactJson(json: string, paths: Paths): string {
  let at = 0
  let result = ''
  let copied = 0

  function skipSpace(): void {
    while (' \t\n\r'.includes(json.charAt(at)) && at < json.length) at += 1
  }

  function skipValue(): void {
    let depth = 0
    do {
      const character = json.charAt(at)
      if (character === '"') at = findStringEnd(json, at)
      else {
        if (character === '{' || character === '[') depth += 1
        else if (character === '}' || character === ']') depth -= 1
        at += 1
      }
    } while (depth > 0)
  }

  /** A number or a word ends before a separator. */
  function skipScalar(): void {
    if (json.charAt(at) === '"') at = findStringEnd(json, at)
    else while (at < json.length && !',]} \t\n\r'.includes(json.charAt(at))) at += 1
  }

  function readValue(place: Place): void {
    const start = at
    const opening = json.charAt(at)
    const isContainer = opening === '{' || opening === '['
    if (paths.matches(place)) {
      if (isContainer) skipValue()
      else skipScalar()
      result += json.slice(copied, start) + placeholder
      copied = at
    } else if (!isContainer) skipScalar()
    else if (place.length === 0) skipValue()
    else readMembers(place, opening === '{')
  }

  function readMembers(place: Place, isObject: boolean): void {
    const close = isObject ? '}' : ']'
    at += 1
    for (let index = 0; ; index += 1) {
      skipSpace()
      if (json.charAt(at) === close) break
      if (index > 0) {
        // The comma.
        at += 1
        skipSpace()
      }
      readValue(paths.step(place, isObject ? readName() : String(index)))
    }
    at += 1
  }

  function readName(): string {
    const start = at
    at = findStringEnd(json, at)
    const name = JSON.parse(json.slice(start, at)) as string
    skipSpace()
    // The colon.
    at += 1
    skipSpace()
    return name
  }

  skipSpace()
  readValue(paths.start)
  return result + json.slice(copied)
}
