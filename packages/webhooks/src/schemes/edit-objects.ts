import { findStringEnd } from '@sallyport/internal/large-integers'

/** A member of an object, with the JSON text of its value. */
export interface JsonMember {
  readonly name: string
  readonly value: string
}

export type EditMembers = (members: readonly JsonMember[]) => readonly JsonMember[]

/**
 * Edits the members of the objects at a path of valid JSON. Every other value keeps its text, because a number that is parsed
 * and written again can lose digits.
 *
 * @param path the names of the members that lead to the objects; `*` stands for each element of a list
 */
export function editObjects(json: string, [name, ...rest]: readonly string[], edit: EditMembers): string {
  const text = json.trim()
  if (name === '*') {
    if (!text.startsWith('[')) return text
    return `[${splitItems(text)
      .map((item) => editObjects(item, rest, edit))
      .join(',')}]`
  }
  if (!text.startsWith('{')) return text
  const members = splitItems(text).map(readMember)
  const edited =
    name === undefined
      ? edit(members)
      : members.map((member) =>
          member.name === name ? { name, value: editObjects(member.value, rest, edit) } : member,
        )
  return `{${edited.map(writeMember).join(',')}}`
}

/** Splits an object into its members, or a list into its elements. */
function splitItems(json: string): readonly string[] {
  const items: string[] = []
  let start = 1
  let depth = 0
  for (let at = 0; at < json.length;) {
    const character = json.charAt(at)
    if (character === '"') {
      at = findStringEnd(json, at)
      continue
    }
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    if (depth === 0 || (depth === 1 && character === ',')) {
      items.push(json.slice(start, at).trim())
      start = at + 1
    }
    at += 1
  }
  return items.filter((item) => item !== '')
}

function readMember(text: string): JsonMember {
  const end = findStringEnd(text, 0)
  const name: unknown = JSON.parse(text.slice(0, end))
  return { name: String(name), value: text.slice(text.indexOf(':', end) + 1).trim() }
}

const writeMember = ({ name, value }: JsonMember): string => `${JSON.stringify(name)}:${value}`
