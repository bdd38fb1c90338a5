/** Truncates text to a number of UTF-16 code units, never within a character. A truncated text ends with an ellipsis. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed()
  const kept = text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.toWellFormed()}…`
}
