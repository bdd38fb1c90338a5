/** A store of objects for large bodies, such as a bucket. A rejection means that the store is unavailable. */
export interface BodyStore {
  /** Stores an object under a new key of 32 hexadecimal digits. */
  readonly put: (key: string, bytes: Uint8Array, options: StoreCall) => Promise<unknown>
  /** Returns at least the first `maxBytes` bytes of an object, and few more; undefined for an unknown key. */
  readonly get: (
    key: string,
    options: StoreCall & { readonly maxBytes: number },
  ) => Promise<Uint8Array | undefined>
  /** Deletes up to 500 objects. An unknown key is no error. */
  readonly delete: (keys: readonly string[], options: StoreCall) => Promise<unknown>
}

interface StoreCall {
  /** Aborted at the timeout of the call, five seconds. */
  readonly signal: AbortSignal
}

/** Where large bodies are stored. */
export interface BodiesOptions {
  readonly store: BodyStore
  /** Bodies with more bytes are stored in the store, the others in the database. @default 262,144 (256 KiB) */
  readonly above?: number
}
