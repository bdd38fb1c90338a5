import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { MaybePromise } from '../ports/ports.ts'

/** A subscription as its service shows it. */
export interface Registration {
  /** The id that the service gave it. */
  readonly id: string
  /** Milliseconds since the epoch. @default the subscription does not expire */
  readonly expiresAt?: number | undefined
  /** Whether the service sends no deliveries, for example after errors. @default false */
  readonly isDisabled?: boolean | undefined
}

/** A new subscription. */
export interface CreatedRegistration extends Registration {
  /** The secret that the service created, for a service with `secret: 'created'`. */
  readonly secret?: string | undefined
}

/** The subscription that a request to a service concerns. */
export interface SubscriptionContext<Parameters = unknown> {
  readonly parameters: Parameters
  /** The address that the service sends deliveries to. */
  readonly address: string
  /** The secrets of the address, newest first. */
  readonly secrets: readonly string[]
  /** Returns the credential of the requests. `isRefused` asks for a new one: the service answered 401 to the last one. */
  readonly token: (options: { readonly isRefused: boolean }) => MaybePromise<string>
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Ends the requests. */
  readonly signal: AbortSignal
}

/**
 * How a service registers the address of a webhook. Requests that fail throw an error with a `code`, such as `HTTP_401`, and
 * with `retryAfterMs` if the service asks to wait. Messages and codes hold no credential.
 */
export interface SubscriptionService<Parameters = unknown> {
  /** The name of its provider, unless `provider` names another one. */
  readonly name: string
  /** The provider of the address that receives the events. @default `name` */
  readonly provider?: string
  /**
   * Where the secret of the deliveries comes from. `endpoint`: `create` and `repair` send the secret of the address. `created`: the
   * service returns it from `create`, and never again. `none`: the service signs with a secret of the application.
   */
  readonly secret: 'endpoint' | 'created' | 'none'
  readonly parameters: StandardSchemaV1<unknown, Parameters>
  /** Kinds of events after which the subscription is renewed at once. @default none */
  readonly renewOn?: readonly string[]
  /**
   * Returns the subscriptions of the address with these parameters. A service that lists none returns `known`, the last one that
   * was created or renewed.
   */
  list(
    context: SubscriptionContext<Parameters>,
    known: Registration | undefined,
  ): Promise<readonly Registration[]>
  create(context: SubscriptionContext<Parameters>): Promise<CreatedRegistration>
  /** Extends a subscription that expires. @default another one is created, and this one is removed */
  renew?(context: SubscriptionContext<Parameters>, registration: Registration): Promise<Registration>
  /**
   * Enables a subscription, and sets its address, secret and parameters. @default another one is created, and this one is removed
   */
  repair?(context: SubscriptionContext<Parameters>, registration: Registration): Promise<Registration>
  /** Removes a subscription. One that the service does not have any more is no error. */
  remove(context: SubscriptionContext<Parameters>, registration: Registration): Promise<void>
}

/** Returns the name of the provider that receives the events of a service. */
export const getProvider = ({ name, provider = name }: SubscriptionService): string => provider
