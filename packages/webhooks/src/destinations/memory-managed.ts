import type { ManagedDestinationStore, SealedDestination } from './store.ts'

type Save = Parameters<ManagedDestinationStore['insert']>[1]

export function createMemoryManagedStore(): ManagedDestinationStore {
  const stored = new Map<string, SealedDestination>()
  let changes = 0

  async function set(destination: SealedDestination, save: Save): Promise<true> {
    const before = stored.get(destination.name)
    stored.set(destination.name, destination)
    changes++
    try {
      await save?.(undefined)
      return true
    } catch (error) {
      if (before) stored.set(before.name, before)
      else stored.delete(destination.name)
      throw error
    }
  }

  return {
    list: () => Promise.resolve([...stored.values()].sort((one, other) => (one.name < other.name ? -1 : 1))),
    stamp: () => Promise.resolve(String(changes)),
    async insert(destination, save) {
      return stored.has(destination.name) ? false : await set(destination, save)
    },
    async replace(destination, version, save) {
      return stored.get(destination.name)?.version === version ? await set(destination, save) : false
    },
    delete(name, version) {
      const isCurrent = stored.get(name)?.version === version
      if (isCurrent) {
        stored.delete(name)
        changes++
      }
      return Promise.resolve(isCurrent)
    },
  }
}
