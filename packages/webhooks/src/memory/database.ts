import { memoryAlertStore } from '../alerts/store.ts'
import { createMemoryAuditLog } from '../audit/memory-audit-log.ts'
import { memoryEndpointStore } from '../endpoints/memory-store.ts'
import { memoryProcessStore } from '../processes/memory-store.ts'
import { createMemoryReplayJobStore } from '../replay-jobs/memory-store.ts'
import { memoryTrafficStore } from '../traffic/memory-store.ts'
import { memoryUnprocessedStore } from '../unprocessed/memory-store.ts'
import type { WebhookDatabase } from '../webhooks/database.ts'
import { memoryInbox } from './inbox.ts'

/**
 * Creates a database in the memory of the process, for tests and development. A restart loses everything.
 *
 * @example
 * ```ts
 * import { createWebhooks, memoryDatabase } from '@sallyport/webhooks/node'
 * import { github } from '@sallyport/providers/github'
 *
 * const webhooks = createWebhooks({
 *   database: memoryDatabase(),
 *   providers: [github],
 *   secrets: { github: 'the secret of the webhook' },
 *   on: { 'github/push': ({ id }) => console.log(id) },
 * })
 * ```
 */
export function memoryDatabase(): Required<Omit<WebhookDatabase, 'consumers' | 'idempotency' | 'onWork'>> {
  const inbox = memoryInbox()
  const endpoints = memoryEndpointStore()
  const traffic = memoryTrafficStore()
  const unprocessed = memoryUnprocessedStore()
  const replayJobs = createMemoryReplayJobStore()
  const alerts = memoryAlertStore()
  const processes = memoryProcessStore()
  const audit = createMemoryAuditLog()
  return {
    inbox: () => inbox,
    endpoints: () => endpoints,
    traffic: () => traffic,
    unprocessed: () => unprocessed,
    replayJobs: () => replayJobs,
    alerts: () => alerts,
    processes: () => processes,
    audit: () => audit,
  }
}
