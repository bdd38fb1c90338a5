import { isTooDeep } from '../parsers/parse-json.ts'

/** The longest form, in UTF-16 code units. Longer forms take too long to write and to verify. */
const maxFormLength = 256 * 1024

/**
 * Writes a JSON text as the common serializers do: compact, with spaces, indented; with escaped slashes and characters. The list
 * is empty for a value that nests deeper than 100 levels, and when the text or a form may have over 256 KiB.
 */
export function listJsonForms(text: string): readonly string[] {
  if (text.length > maxFormLength) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  if (isTooDeep(text, value)) return []
  const compact = JSON.stringify(value)
  if (limitLength(compact, getDepth(value)) > maxFormLength) return []
  const spaced = JSON.stringify(value, undefined, 1).replaceAll(/(?<=[[{])\n *|\n *(?=[\]}])/g, '')
  const forms = [compact, spaced.replaceAll(/,\n */g, ', '), JSON.stringify(value, undefined, 2)]
  return [
    ...forms,
    ...forms.map(escapeSlashes),
    ...forms.map(escapeCharacters),
    ...forms.map((form) => escapeCharacters(escapeSlashes(form))),
  ]
}

/** Returns the nesting depth of a value, which `isTooDeep` has limited. */
const getDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((depth, member) => Math.max(depth, getDepth(member)), 0)
    : 0

/** Returns a length that no form exceeds. Each separator adds a line with an indentation. */
function limitLength(compact: string, depth: number): number {
  let length = compact.length
  for (const character of compact) {
    if (',:[]{}'.includes(character)) length += 1 + 2 * depth
    else if (character === '/') length += 1
    else if (character > '\u007f') length += 5 * character.length
  }
  return length
}

const escapeSlashes = (json: string): string => json.replaceAll('/', String.raw`\/`)

const escapeCharacters = (json: string): string =>
  json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  )
