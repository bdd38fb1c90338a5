/** A gateway has a handful of keys; the bound is for rotation. */
const maximumKeys = 64

/** Keeps imported keys: importing one costs a good part of what a signature does. */
export function keyCache<Key>(): (id: string, load: () => Key) => Key {
  const keys = new Map<string, Key>()
  return (id, load) => {
    const known = keys.get(id)
    if (known !== undefined) return known
    const key = load()
    if (keys.size >= maximumKeys) keys.delete(keys.keys().next().value as string)
    keys.set(id, key)
    return key
  }
}
