import type { WebhookDatabase } from '@sallyport/webhooks/node'
import type { EndpointStore } from '@sallyport/webhooks/endpoints'
import type { Kysely, Transaction } from 'kysely'
import { kyselyAlertStore } from './alerts/alert-store.ts'
import { kyselyAuditLog } from './audit/audit-log.ts'
import { kyselyDestinationStore } from './destinations/destination-store.ts'
import { kyselyEndpointStore } from './endpoints/endpoint-store.ts'
import { createKyselyIdempotencyStore } from './idempotency/idempotency-store.ts'
import { kyselyProcessStore } from './processes/process-store.ts'
import { kyselyReconciliationStore } from './reconciliations/reconciliation-store.ts'
import { kyselySubscriptionStore } from './subscriptions/subscription-store.ts'
import { kyselyTrafficStore } from './traffic/traffic-store.ts'
import { kyselyUnprocessedStore, type Encryption } from './unprocessed/unprocessed-store.ts'

/** The stores that both databases share: the port `WebhookDatabase` without the inbox, the replay jobs and wake-ups. */
export interface WebhookStores extends Required<
  Pick<
    WebhookDatabase,
    | 'destinations'
    | 'subscriptions'
    | 'traffic'
    | 'unprocessed'
    | 'reconciliations'
    | 'alerts'
    | 'processes'
    | 'audit'
    | 'idempotency'
  >
> {
  /** @param transaction a transaction of yours, such as the one that stores the customer. @default separate transactions */
  readonly endpoints: <Tables>(transaction?: Transaction<Tables>) => EndpointStore
}

/**
 * @param db the tables of the package
 * @param reads the same tables for short reads
 */
export function createStores<Tables>(
  db: Kysely<Tables>,
  { reads = db, ...encryption }: Encryption & { readonly reads?: Kysely<Tables> },
): WebhookStores {
  return {
    endpoints: (transaction) =>
      transaction ? kyselyEndpointStore(transaction) : kyselyEndpointStore(db, { reads }),
    destinations: () => kyselyDestinationStore(db),
    subscriptions: () => kyselySubscriptionStore(db),
    traffic: () => kyselyTrafficStore(db),
    unprocessed: () => kyselyUnprocessedStore(db, encryption),
    reconciliations: () => kyselyReconciliationStore(db),
    alerts: () => kyselyAlertStore(db),
    processes: () => kyselyProcessStore(db),
    audit: () => kyselyAuditLog(db, { reads }),
    idempotency: (transaction?: Transaction<unknown>) =>
      transaction ? createKyselyIdempotencyStore(transaction) : createKyselyIdempotencyStore(db),
  }
}
