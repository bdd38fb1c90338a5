/** A text or a number somewhere in a JSON value. */
export type Leaf = string | number

const isLeaf = (value: unknown): value is Leaf => typeof value === 'string' || typeof value === 'number'

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const leavesOf = (value: unknown): Leaf[] =>
  isLeaf(value) ? [value] : Object.values(membersOf(value)).flatMap(leavesOf)

/** What differs at the same place of two payloads. */
export function differences(one: unknown, other: unknown): [Leaf, Leaf][] {
  if (isLeaf(one)) return isLeaf(other) && one !== other ? [[one, other]] : []
  const theirs = membersOf(other)
  return Object.entries(membersOf(one)).flatMap(([name, member]) => differences(member, theirs[name]))
}

/** The same JSON value with another text or number, wherever it stands. */
export function replaced(value: unknown, from: Leaf, to: Leaf): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}
