import { createMemoryAlertStore } from '../alerts/store.ts'
import { createMemoryAuditLog } from '../audit/memory-audit-log.ts'
import { createMemoryDestinationStore } from '../destinations/memory-store.ts'
import { createMemoryEndpointStore } from '../endpoints/memory-store.ts'
import { createMemoryProcessStore } from '../processes/memory-store.ts'
import { createMemoryReconciliationStore } from '../reconcile/store.ts'
import { createMemoryReplayJobStore } from '../replay-jobs/memory-store.ts'
import { createMemorySubscriptionStore } from '../subscriptions/memory-store.ts'
import { createMemoryTrafficStore } from '../traffic/memory-store.ts'
import { createMemoryUnprocessedStore } from '../unprocessed/memory-store.ts'
import type { WebhookDatabase } from '../webhooks/database.ts'
import { createMemoryInbox } from './inbox.ts'

/**
 * Creates a database in the memory of the process, for tests and development. A restart loses everything.
 *
 * @example
 * ```ts
 * import { createWebhooks, createMemoryDatabase } from '@sallyport/webhooks/node'
 * import { github } from '@sallyport/providers/github'
 *
 * const webhooks = createWebhooks({
 *   database: createMemoryDatabase(),
 *   providers: [github],
 *   secrets: { github: 'the secret of the webhook' },
 *   on: { 'github/push': ({ id }) => console.log(id) },
 * })
 * ```
 */
export function createMemoryDatabase(): Required<
  Omit<WebhookDatabase, 'consumers' | 'idempotency' | 'onWork'>
> {
  const inbox = createMemoryInbox()
  const destinations = createMemoryDestinationStore()
  const endpoints = createMemoryEndpointStore()
  const subscriptions = createMemorySubscriptionStore()
  const traffic = createMemoryTrafficStore()
  const unprocessed = createMemoryUnprocessedStore()
  const replayJobs = createMemoryReplayJobStore()
  const reconciliations = createMemoryReconciliationStore()
  const alerts = createMemoryAlertStore()
  const processes = createMemoryProcessStore()
  const audit = createMemoryAuditLog()
  return {
    inbox: () => inbox,
    destinations: () => destinations,
    endpoints: () => endpoints,
    subscriptions: () => subscriptions,
    traffic: () => traffic,
    unprocessed: () => unprocessed,
    replayJobs: () => replayJobs,
    reconciliations: () => reconciliations,
    alerts: () => alerts,
    processes: () => processes,
    audit: () => audit,
  }
}
