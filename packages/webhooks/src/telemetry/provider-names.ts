/** Names a provider in an attribute: registered ones as they are, and every other as `unknown`, so that values stay few. */
export type NameProvider = (name: string) => string

/** The most kinds that a provider has in an attribute. */
const maxKinds = 20

/** Names a kind in an attribute: the first twenty kinds of each provider as they are, and every other as `other`. */
export function kindNames(): (provider: string, kind: string | undefined) => string {
  const known = new Map<string, Set<string>>()
  return (provider, kind) => {
    if (kind === undefined) return 'other'
    const kinds = known.get(provider) ?? new Set()
    known.set(provider, kinds)
    if (kinds.size < maxKinds) kinds.add(kind)
    return kinds.has(kind) ? kind : 'other'
  }
}

export function providerNames(providers: Iterable<{ readonly name: string }>): NameProvider {
  const known = new Set(Array.from(providers, ({ name }) => name))
  return (name) => (known.has(name) ? name : 'unknown')
}
