import type { AlertStore } from '../alerts/store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { ConsumerStore } from '../consume/store.ts'
import type { DestinationStore } from '../destinations/store.ts'
import type { EndpointStore } from '../endpoints/store.ts'
import type { CompleteInbox, Inbox, Work } from '../ports/ports.ts'
import type { ProcessStore } from '../processes/store.ts'
import type { ReconciliationStore } from '../reconcile/store.ts'
import type { ReplayJobStore } from '../replay-jobs/job.ts'
import type { SubscriptionStore } from '../subscriptions/store.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'

/** An inbox. Its optional methods enable replays, retention and the lists of operators. */
export type WebhookInbox = Inbox & Partial<CompleteInbox>

/**
 * The port to the stores of `createWebhooks`: `openSqlite` and `openPostgres` of `@sallyport/sql`, `createMemoryDatabase`, or your
 * own. Only `inbox` is required. A feature whose store is missing is off.
 */
export interface WebhookDatabase {
  /** @param options `onError` is called for an unreadable event */
  readonly inbox: (options?: { readonly onError?: (error: unknown) => unknown }) => WebhookInbox
  /** The states of destinations that processes share. @default each process has its own */
  readonly destinations?: () => DestinationStore
  /** Endpoints that are created at run time. */
  readonly endpoints?: () => EndpointStore
  /** The registrations of webhooks at services. */
  readonly subscriptions?: () => SubscriptionStore
  /** Counts of requests, for the statistics. */
  readonly traffic?: () => TrafficStore
  /** Ignored and refused deliveries. */
  readonly unprocessed?: () => UnprocessedStore
  /** Replays of many deliveries that the server runs. */
  readonly replayJobs?: () => ReplayJobStore
  /** The states of reconciliation that processes share. @default each process runs all sources, from its start */
  readonly reconciliations?: () => ReconciliationStore
  /** The states of alerts. Without it, each process sends all alerts. */
  readonly alerts?: () => AlertStore
  /** The heartbeats of the processes that share the database. */
  readonly processes?: () => ProcessStore
  /** The consumers of the bus in the database. */
  readonly consumers?: () => ConsumerStore
  /** The actions of operators. */
  readonly audit?: () => AuditLog
  /**
   * The responses to requests with an `Idempotency-Key`.
   *
   * @param transaction a transaction of the store of endpoints
   */
  readonly idempotency?: (transaction?: never) => ResponseStore
  /** Calls the listener when another process may have recorded work, and returns the function that unsubscribes. */
  readonly onWork?: (listener: (work: Work) => void) => () => void
}

/** A store of responses: `IdempotencyStore` of `@sallyport/rest/store`, which describes the methods. */
interface ResponseStore {
  readonly claim: (request: {
    readonly key: string
    readonly fingerprint: string
    readonly token: string
    readonly lockMs: number
  }) => Promise<
    | { readonly state: 'claimed' }
    | { readonly state: 'in-use'; readonly fingerprint: string; readonly retryAfterMs: number }
    | { readonly state: 'completed'; readonly fingerprint: string; readonly response: ResponseRecord }
  >
  readonly complete: (request: {
    readonly key: string
    readonly token: string
    readonly response: ResponseRecord
    readonly retentionMs: number
  }) => Promise<boolean>
  readonly release: (request: { readonly key: string; readonly token: string }) => Promise<void>
  /** Deletes expired records, and returns their number. */
  readonly prune: () => Promise<number>
}

/** A stored response. */
interface ResponseRecord {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}
