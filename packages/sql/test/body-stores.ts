import type { BodyStore } from '../src/bodies/body-store.ts'

export interface MemoryBodyStore extends BodyStore {
  /** By their keys. */
  readonly objects: Map<string, Uint8Array>
  /** Rejects every call with this error while it is set. */
  failure: Error | undefined
}

/** A store in memory, which a test takes away and changes. */
export function memoryBodyStore(): MemoryBodyStore {
  const objects = new Map<string, Uint8Array>()
  const call = <T>(run: () => T): Promise<T> =>
    store.failure === undefined ? Promise.resolve(run()) : Promise.reject(store.failure)
  const store: MemoryBodyStore = {
    objects,
    failure: undefined,
    put: (key, bytes) => call(() => objects.set(key, Uint8Array.from(bytes))),
    get: (key) => call(() => objects.get(key)),
    delete: (keys) =>
      call(() => {
        for (const key of keys) objects.delete(key)
      }),
  }
  return store
}
