import type { AlertStore } from '@sallyport/webhooks/alerts'
import type { AuditLog } from '@sallyport/webhooks/audit'
import type { DestinationStore } from '@sallyport/webhooks/destinations'
import type { EndpointStore } from '@sallyport/webhooks/endpoints'
import type { ProcessStore } from '@sallyport/webhooks/processes'
import type { ReconciliationStore } from '@sallyport/webhooks/reconcile'
import type { SubscriptionStore } from '@sallyport/webhooks/subscriptions'
import type { TestRunner } from '@sallyport/webhooks/testing'
import type { TrafficStore } from '@sallyport/webhooks/traffic'
import type { UnprocessedStore } from '@sallyport/webhooks/unprocessed'
import { testAlertStore } from './alerts.ts'
import { testAuditLog } from './audit.ts'
import { testDestinationStore } from './destinations.ts'
import { testEndpointStore } from './endpoints.ts'
import { testProcessStore } from './processes.ts'
import { testReconciliationStore } from './reconciliations.ts'
import { testSubscriptionStore } from './subscriptions.ts'
import { testTrafficStore } from './traffic.ts'
import { testUnprocessedStore } from './unprocessed.ts'

type Awaitable<Value> = Value | Promise<Value>

/**
 * Defines the conformance tests of the stores of a `WebhookDatabase`, beside its inbox.
 *
 * @param runner the functions of the test runner
 * @param stores creates empty stores for each test. Two stores share their data, as two processes have them.
 * @example
 * ```ts
 * import { createMemoryDatabase } from '@sallyport/webhooks/node'
 * import { testStores } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testStores(
 *   { describe, expect, it },
 *   {
 *     endpoints: () => createMemoryDatabase().endpoints(),
 *     traffic: () => createMemoryDatabase().traffic(),
 *   },
 * )
 * ```
 */
export function testStores(
  runner: TestRunner,
  stores: {
    readonly alerts?: () => Awaitable<readonly [AlertStore, AlertStore]>
    /** Creates the log with the given clock. */
    readonly audit?: (options: { readonly now: () => number }) => Awaitable<AuditLog>
    readonly destinations?: () => Awaitable<readonly [DestinationStore, DestinationStore]>
    readonly endpoints?: () => Awaitable<EndpointStore>
    readonly processes?: () => Awaitable<readonly [ProcessStore, ProcessStore]>
    readonly reconciliations?: () => Awaitable<readonly [ReconciliationStore, ReconciliationStore]>
    readonly subscriptions?: () => Awaitable<readonly [SubscriptionStore, SubscriptionStore]>
    readonly traffic?: () => Awaitable<TrafficStore>
    readonly unprocessed?: () => Awaitable<UnprocessedStore>
  },
): void {
  const {
    alerts,
    audit,
    destinations,
    endpoints,
    processes,
    reconciliations,
    subscriptions,
    traffic,
    unprocessed,
  } = stores
  if (alerts) testAlertStore(runner, alerts)
  if (audit) testAuditLog(runner, audit)
  if (destinations) testDestinationStore(runner, destinations)
  if (endpoints) testEndpointStore(runner, endpoints)
  if (processes) testProcessStore(runner, processes)
  if (reconciliations) testReconciliationStore(runner, reconciliations)
  if (subscriptions) testSubscriptionStore(runner, subscriptions)
  if (traffic) testTrafficStore(runner, traffic)
  if (unprocessed) testUnprocessedStore(runner, unprocessed)
}
