import type { ManagedDestinationStore, SealedDestination } from './store.ts'

export function createMemoryManagedStore(): ManagedDestinationStore {
  const stored = new Map<string, SealedDestination>()
  let changes = 0
  return {
    list: () => Promise.resolve([...stored.values()].sort((one, other) => (one.name < other.name ? -1 : 1))),
    stamp: () => Promise.resolve(String(changes)),
    async insert(destination, save) {
      if (stored.has(destination.name)) return false
      await save?.(undefined)
      stored.set(destination.name, destination)
      changes++
      return true
    },
    async replace(destination, version, save) {
      if (stored.get(destination.name)?.version !== version) return false
      await save?.(undefined)
      stored.set(destination.name, destination)
      changes++
      return true
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
