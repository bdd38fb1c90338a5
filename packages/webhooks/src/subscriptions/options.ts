import type { MaybePromise } from '../ports/ports.ts'
import type { SubscriptionService } from './service.ts'
import type { SubscriptionQuery, SubscriptionRecord, SubscriptionTarget } from './store.ts'

/** A subscription whose credential a request needs. */
interface CredentialRequest extends Pick<
  SubscriptionTarget,
  'id' | 'service' | 'endpoint' | 'parameters' | 'credential'
> {
  /** Whether the service refused the last credential: return a new one. */
  readonly isRefused: boolean
}

/** How the webhooks of services are registered. */
export interface SubscriptionsOptions {
  /** Such as `subscriptionServices` of `@sallyport/providers/subscriptions`. */
  readonly services: readonly SubscriptionService[]
  /** Returns the token of the API of a service, such as an access token of OAuth. */
  readonly credentials: (request: CredentialRequest) => MaybePromise<string>
  /** The subscriptions of a file: `declare` is called with them at the start. @default none; those of earlier stay */
  readonly declared?: readonly DeclaredSubscription[]
  /** How often a subscription is compared with its service, in milliseconds. @default 3,600,000 */
  readonly checkMs?: number
  /** How often a process looks for due subscriptions, in milliseconds. @default 5,000 */
  readonly pollMs?: number
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** A subscription to add. */
export interface NewSubscription extends Pick<
  SubscriptionTarget,
  'service' | 'endpoint' | 'parameters' | 'credential'
> {
  /** @default a random id */
  readonly id?: string | undefined
}

/** A subscription that `declare` adds, changes, or removes. */
export interface DeclaredSubscription extends NewSubscription {
  readonly id: string
}

/** Registers webhooks at services, and keeps them registered. */
export interface Subscriptions {
  /**
   * Adds a subscription, which a process with a dispatcher creates at the service.
   *
   * @throws SallyportError `VALIDATION_ERROR` (400) for an unknown service or endpoint, and for parameters that the service
   *   does not accept; `CONFLICT` (409) for an id in use
   */
  add(subscription: NewSubscription): Promise<SubscriptionRecord>
  get(id: string): Promise<SubscriptionRecord | undefined>
  list(query: SubscriptionQuery): Promise<readonly SubscriptionRecord[]>
  count(filter?: Omit<SubscriptionQuery, 'limit'>): Promise<number>
  /** Compares a subscription with its service at once, and renews one that expires. False for an unknown id. */
  renew(id: string): Promise<boolean>
  /** Removes a subscription from its service, and then from the database. False for an unknown id. */
  remove(id: string): Promise<boolean>
  /**
   * Adds and changes the given subscriptions, and removes those of earlier calls that are not given. One that cannot be added
   * does not prevent the others: the first error is thrown, as by `add`.
   */
  declare(subscriptions: readonly DeclaredSubscription[]): Promise<void>
}
