/** The first fields suffice: a sample has fewer, unless it has a long list. */
const maxLeaves = 300

/** Returns another value of the same type. */
export function changeValue(value: unknown): unknown {
  // A large number plus one is the same number.
  if (typeof value === 'number') return -value || 1
  return typeof value === 'boolean' ? !value : `${String(value)}1`
}

interface ChangedLeaf {
  /** The path, in which each index of a list is 0. */
  readonly path: string
  readonly body: unknown
}

/** Copies a JSON value once for each of its fields, with another value of the field. */
export function changeLeaves(value: unknown): readonly ChangedLeaf[] {
  if (typeof value !== 'object' || value === null) return [{ path: '', body: changeValue(value) }]
  return Object.entries(value)
    .flatMap(([name, member]) =>
      changeLeaves(member).map(({ path, body }) => {
        const key = Array.isArray(value) ? '0' : name
        const copy: unknown = Array.isArray(value)
          ? value.with(Number(name), body)
          : { ...value, [name]: body }
        return { path: path === '' ? key : `${key}.${path}`, body: copy }
      }),
    )
    .slice(0, maxLeaves)
}
