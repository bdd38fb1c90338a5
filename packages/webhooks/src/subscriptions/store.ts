import type { Registration } from './service.ts'

/** What is to be registered at a service. */
export interface SubscriptionTarget {
  /** 1 to 128 characters. */
  readonly id: string
  /** The name of the service and of its provider. */
  readonly service: string
  /** The id of the endpoint. @default the address of the provider */
  readonly endpoint?: string | undefined
  /** JSON, as the service accepts them. */
  readonly parameters: unknown
  /** A name for `credentials`. It is stored in plain text. */
  readonly credential?: string | undefined
  /** Whether `declare` stored it. */
  readonly isDeclared: boolean
}

/** The state of a subscription after the last visit. */
export interface SubscriptionProgress {
  readonly registration?: Registration | undefined
  /** When the subscription is renewed, in milliseconds since the epoch. */
  readonly renewAt?: number | undefined
  /** A hash of the address, the secret and the parameters that the service has. */
  readonly fingerprint?: string | undefined
  /** The code of the last error. */
  readonly error?: string | undefined
  /** The failed visits in a row. */
  readonly failures: number
  /** The revision of the record that the last visit that succeeded saw. */
  readonly revision: number
  /** When the service last confirmed the subscription, in milliseconds since the epoch. */
  readonly checkedAt?: number | undefined
}

export interface SubscriptionRecord extends SubscriptionTarget {
  readonly isRemoving: boolean
  /** Grows with each change of the target, and with each request to renew. */
  readonly revision: number
  readonly progress: SubscriptionProgress
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface SubscriptionFilter {
  /** The ids of endpoints. */
  readonly endpoints?: readonly string[] | undefined
  readonly service?: string | undefined
  /** Only those with at least as many failed visits in a row. */
  readonly minFailures?: number | undefined
  readonly isDeclared?: boolean | undefined
}

export interface SubscriptionQuery extends SubscriptionFilter {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  readonly after?: Pick<SubscriptionRecord, 'createdAt' | 'id'> | undefined
  /** @default 0 */
  readonly offset?: number | undefined
  readonly limit: number
}

/** The lease of a subscription: a token, and how long it lasts from now on, in milliseconds. */
interface SubscriptionLease {
  readonly token: string
  readonly leaseMs: number
}

/** Stores the subscriptions of all processes. A process visits a subscription under a lease. */
export interface SubscriptionStore {
  /** Stores a subscription that is due. Returns false if its id is in use. */
  insert(target: SubscriptionTarget): Promise<boolean>
  get(id: string): Promise<SubscriptionRecord | undefined>
  list(query: SubscriptionQuery): Promise<readonly SubscriptionRecord[]>
  count(filter?: SubscriptionFilter): Promise<number>
  /** Makes subscriptions due, those with one id or of one endpoint, and grows their revisions. Returns their number. */
  change(
    which: { readonly id: string } | { readonly endpoint: string },
    change?: {
      readonly isRemoving?: boolean
      readonly target?: Pick<SubscriptionTarget, 'parameters' | 'credential'>
    },
  ): Promise<number>
  /** Leases due subscriptions, which have been due for the longest time, for `leaseMs` milliseconds. */
  claim(
    options: SubscriptionLease & { readonly limit: number; readonly endpoint?: string },
  ): Promise<readonly SubscriptionRecord[]>
  /**
   * Stores the progress of a claimed subscription, ends its lease, and makes it due after `dueMs`, or at once if its
   * revision has grown. Returns false if the lease is lost.
   */
  save(
    claimed: Pick<SubscriptionRecord, 'id' | 'revision'>,
    token: string,
    progress: SubscriptionProgress,
    dueMs: number,
  ): Promise<boolean>
  /** Deletes a claimed subscription, or ends its lease if its revision has grown. Returns whether it is deleted. */
  delete(claimed: Pick<SubscriptionRecord, 'id' | 'revision'>, token: string): Promise<boolean>
}

/** The progress of a subscription that no process has visited. */
export const noProgress: SubscriptionProgress = { failures: 0, revision: 0 }
