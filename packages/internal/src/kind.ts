/** Longer kinds do not fit the subjects and routing keys of all buses. */
const maxLength = 128

/**
 * Converts a service's name of an event to a kind: each run of characters outside `A-Z`, `a-z`, `0-9`, `_` and `-` becomes
 * one dot, and dots at the ends are removed. `orders/create` becomes `orders.create`; upper case remains.
 *
 * @throws TypeError for a name without such a character, and for a kind of more than 128 characters
 */
export function toKind(name: string): string {
  const kind = findKind(name)
  if (kind === undefined) throw new TypeError('The delivery has no readable kind')
  return kind
}

/** Converts a name like {@link toKind}, and returns undefined where it throws. */
export function findKind(name: string): string | undefined {
  const kind = name.replaceAll(/[^\w-]+/g, '.').replaceAll(/^\.|\.$/g, '')
  return kind === '' || kind.length > maxLength ? undefined : kind
}

/** Reports whether a text is a kind that {@link toKind} returns unchanged. */
export function isKind(text: string): boolean {
  return text.length <= maxLength && /^[\w-]+(?:\.[\w-]+)*$/.test(text)
}

/**
 * Creates a test for kinds from patterns. `pull_request.*` matches `pull_request` and each kind below it; other patterns
 * match one kind.
 *
 * @throws TypeError for a pattern that is neither a kind nor a kind followed by `.*`
 */
export function createKindFilter(patterns: readonly string[]): (kind: string) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  for (const pattern of patterns) {
    const isPrefix = pattern.endsWith('.*')
    const kind = isPrefix ? pattern.slice(0, -2) : pattern
    if (!isKind(kind))
      throw new TypeError(`A pattern in "only" reads like "push" or "push.*", not "${pattern}"`)
    exact.add(kind)
    if (isPrefix) prefixes.push(`${kind}.`)
  }
  return (kind) => exact.has(kind) || prefixes.some((prefix) => kind.startsWith(prefix))
}
