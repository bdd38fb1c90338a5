import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BodyStore } from '../src/bodies/body-store.ts'

export interface MemoryBodyStore extends Omit<BodyStore, 'put'> {
  put: BodyStore['put']
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

/** A store in a folder, for several processes. The object is on the disk when `put` resolves. */
export function folderBodyStore(folder: string): BodyStore {
  const toPath = (key: string) => join(folder, key)
  return {
    put: (key, bytes) => writeFile(toPath(key), bytes, { flush: true }),
    get: (key) => readFile(toPath(key)),
    delete: (keys) => Promise.all(keys.map((key) => rm(toPath(key), { force: true }))),
  }
}
