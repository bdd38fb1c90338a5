// NUL, halves of surrogate pairs, and the escape itself: what a database would refuse, cut off or replace, so that
// two different keys could become one.
const unstorable = /[\\\0\p{Surrogate}]/u
const eachUnstorable = /[\\\0\p{Surrogate}]/gu
const eachEscape = /\\(\\|u[0-9a-f]{4})/g

/**
 * A text as every database stores it, and no other text becomes the same.
 *
 * @throws TypeError when it is no string
 */
export function escapeText(text: string): string {
  if (typeof text !== 'string') throw new TypeError('A text is expected')
  if (!unstorable.test(text)) return text
  return text.replace(eachUnstorable, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The text that {@link escapeText} was given. */
export function unescapeText(stored: string): string {
  if (!stored.includes('\\')) return stored
  return stored.replace(eachEscape, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
  )
}
