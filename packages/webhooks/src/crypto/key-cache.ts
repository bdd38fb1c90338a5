/** A gateway has few keys. The limit matters for rotations. */
const maxKeys = 64

/** Caches imported keys: an import takes a large part of the time of a signature. */
export function createKeyCache<Key>(): (id: string, load: () => Key) => Key {
  const keys = new Map<string, Key>()
  return (id, load) => {
    const known = keys.get(id)
    if (known !== undefined) return known
    const key = load()
    if (keys.size >= maxKeys) keys.delete(keys.keys().next().value as string)
    keys.set(id, key)
    return key
  }
}
