// NUL, lone surrogates and the escape character: databases reject, truncate or replace them, so that two different keys
// could become equal.
const unstorable = /[\\\0\p{Surrogate}]/u
const eachUnstorable = /[\\\0\p{Surrogate}]/gu
const eachEscape = /\\(\\|u[0-9a-f]{4})/g

/**
 * Escapes a text so that every database stores it unchanged. Different texts stay different.
 *
 * @throws TypeError for a value that is not a string
 */
export function escapeText(text: string): string {
  if (typeof text !== 'string') throw new TypeError('A text is expected')
  if (!unstorable.test(text)) return text
  return text.replace(eachUnstorable, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the text that {@link escapeText} escaped. */
export function unescapeText(stored: string): string {
  if (!stored.includes('\\')) return stored
  return stored.replace(eachEscape, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
  )
}
