/** The operator or the API key that acted. */
interface AuditActor {
  readonly id: string
  /** The name at the time of the action, such as an e-mail address. */
  readonly name?: string
}

/** Facts about an action: names, ids and counts, never a secret or a body. */
export type AuditDetail = Readonly<
  Record<string, string | number | boolean | null | readonly (string | number)[] | undefined>
>

/** An action of an operator. */
export interface AuditRecord {
  readonly actor: AuditActor
  /** The resource and the verb, such as `endpoint.create`. */
  readonly action: string
  /** The id of the resource. @default the action concerns several resources, which `detail` describes */
  readonly target?: string
  /** @default no facts */
  readonly detail?: AuditDetail
}

/** A stored action. */
export interface AuditEntry {
  readonly id: string
  readonly actor: AuditActor
  readonly action: string
  readonly target?: string
  readonly detail: AuditDetail
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Selects entries; every given criterion must match. */
export interface AuditFilter {
  /** The id or the name of an actor. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  /** Exclusive, in milliseconds since the epoch. */
  readonly createdAfter?: number | undefined
  /** Exclusive, in milliseconds since the epoch. */
  readonly createdBefore?: number | undefined
}

/** The position of an entry in a list. */
interface AuditPosition {
  readonly createdAt: number
  readonly id: string
}

/** A page of entries, by the time of their action. */
interface AuditQuery extends AuditFilter {
  /** @default 'newest' first */
  readonly order?: 'newest' | 'oldest'
  /** The entries after this position in the order. @default from the first entry */
  readonly after?: AuditPosition
  /** @default 0 */
  readonly offset?: number
  readonly limit: number
}

/**
 * The port to the record of what operators did. Entries never change.
 *
 * `testStores` of `@sallyport/testing` tests an implementation.
 */
export interface AuditLog {
  /** Stores an action with the time of the call. The entry is durable when the promise resolves. */
  record(action: AuditRecord): Promise<void>
  list(query: AuditQuery): Promise<readonly AuditEntry[]>
  /** Counts the matching entries. */
  count(filter: AuditFilter): Promise<number>
  /** Deletes the entries before a time in milliseconds since the epoch; resolves to their number. */
  prune(before: number): Promise<number>
}
