/** A stored API key. Times are milliseconds since 1970. */
export interface ApiKeyRecord {
  /** 16 hexadecimal digits. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Labels of the endpoints that the key is limited to; null without a limit. */
  readonly endpoints: string | null
  /** The id of the user that created the key, or whose key created the key. */
  readonly ownerId: string
  /** The id of the key that created the key; null for a key that a user created. */
  readonly parentId: string | null
  /** SHA-256, in base64url, of the secret. */
  readonly secretHash: string
  readonly createdAt: number
  /** Null for a key that does not expire. */
  readonly expiresAt: number | null
  /** The time of a use, at most a minute before the last one; null for an unused key. */
  readonly lastUsedAt: number | null
}

/** The position of a key in a list. */
interface ApiKeyPosition {
  readonly createdAt: number
  readonly id: string
}

/** A page of keys, by the time of their creation. */
export interface ApiKeyQuery {
  /** @default 'newest' first */
  readonly order?: 'newest' | 'oldest'
  /** The keys after this position in the order. @default from the first key */
  readonly after?: ApiKeyPosition
  /** @default 0 */
  readonly offset?: number
  readonly limit: number
}

/**
 * The port to a store of API keys. Reads must see all previous writes.
 *
 * `testApiKeyStore` of `@sallyport/testing/auth` tests an implementation.
 */
export interface ApiKeyStore {
  /**
   * Stores a new key; rejects for an existing id. Resolves to false, and stores nothing, if `parentId` names no stored key.
   *
   * A key that is created during the deletion of its parent is either not stored, or deleted with it.
   */
  insert(key: ApiKeyRecord): Promise<boolean>
  get(id: string): Promise<ApiKeyRecord | undefined>
  list(query: ApiKeyQuery): Promise<readonly ApiKeyRecord[]>
  count(): Promise<number>
  /** Deletes a key and all keys that descend from it; resolves to the ids of the deleted keys. */
  delete(id: string): Promise<readonly string[]>
  /** Sets the time of the last use, unless a later one is stored. */
  touch(id: string, at: number): Promise<void>
}
