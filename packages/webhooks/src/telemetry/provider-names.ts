/** Names a provider in an attribute: registered ones as they are, and every other as `unknown`, so that values stay few. */
export type NameProvider = (name: string) => string

export function providerNames(providers: Iterable<{ readonly name: string }>): NameProvider {
  const known = new Set(Array.from(providers, ({ name }) => name))
  return (name) => (known.has(name) ? name : 'unknown')
}
