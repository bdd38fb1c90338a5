/** How much of texts, lists and objects a result keeps. */
interface Measure {
  readonly characters: number
  readonly items: number
}

/** The first measure that makes a result fit applies. */
const measures: readonly Measure[] = [
  { characters: 8000, items: 100 },
  { characters: 2000, items: 50 },
  { characters: 500, items: 20 },
  { characters: 100, items: 5 },
]
const maxDepth = 20

/**
 * Formats a value as JSON of at most `limit` characters. Long texts, lists and objects are cut, and a note in their place says
 * how much is missing.
 */
export function fitResult(value: unknown, limit: number): string {
  for (const measure of measures) {
    const text = JSON.stringify(cut(value, measure, 0))
    if (text.length <= limit) return text
  }
  return JSON.stringify('[cut: the result is too large; request fewer items or fields]')
}

function cut(value: unknown, measure: Measure, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, measure.characters)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[cut: nested too deeply]'
  if (Array.isArray(value)) {
    const kept = value.slice(0, measure.items).map((item) => cut(item, measure, depth + 1))
    const missing = value.length - kept.length
    return missing === 0 ? kept : [...kept, `[cut: ${missing} more items]`]
  }
  const fields = Object.entries(value)
  const kept = fields
    .slice(0, measure.items)
    .map(([name, field]) => [cutText(name, measure.characters), cut(field, measure, depth + 1)] as const)
  const missing = fields.length - kept.length
  return Object.fromEntries(missing === 0 ? kept : [...kept, ['[cut]', `${missing} more fields`] as const])
}

function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text
  return `${text.slice(0, characters)}[cut: ${text.length - characters} more characters]`
}
