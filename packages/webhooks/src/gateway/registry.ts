import type { AnyProvider } from '../provider/provider.ts'

/** The providers of a gateway, by name. */
export interface Registry {
  readonly names: readonly string[]
  get(name: string): AnyProvider | undefined
}

/**
 * Registers providers under their names, in the order given.
 *
 * @throws TypeError when two share a name
 */
export function createRegistry(providers: Iterable<AnyProvider>): Registry {
  const byName = new Map<string, AnyProvider>()
  for (const provider of providers) {
    if (byName.has(provider.name)) throw new TypeError(`Two providers are named "${provider.name}"`)
    byName.set(provider.name, provider)
  }
  return { names: [...byName.keys()], get: (name) => byName.get(name) }
}
