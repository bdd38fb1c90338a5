/**
 * Subscriptions: the registration of webhooks at services, created, renewed, repaired and removed.
 *
 * @module
 */
export type {
  CreatedRegistration,
  Registration,
  SubscriptionContext,
  SubscriptionService,
} from './service.ts'
export { noProgress } from './store.ts'
export type { SubscriptionProgress, SubscriptionRecord, SubscriptionStore } from './store.ts'
export type { Subscriptions, SubscriptionsOptions } from './options.ts'
