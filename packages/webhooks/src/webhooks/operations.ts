import type { AuditLog } from '../audit/audit-log.ts'
import type { ConsumerStore } from '../consume/store.ts'
import type { ManagedDestinations } from '../destinations/managed.ts'
import type { DestinationOperations } from '../destinations/operations.ts'
import type { Endpoints } from '../endpoints/contract.ts'
import type { SecretCipher } from '../endpoints/store.ts'
import type { TestDeliverySender, TestDeliverySenderOptions } from '../endpoints/test-deliveries.ts'
import type { Eraser } from '../operations/eraser.ts'
import type { Replayer } from '../operations/replayer.ts'
import type { DispatcherInbox, EndpointSource, OperatorInbox } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { ProcessState, ProcessStore } from '../processes/store.ts'
import type { ReconcileOperations } from '../reconcile/reconciler.ts'
import type { ReplayJobs } from '../replay-jobs/replay-jobs.ts'
import type { Subscriptions } from '../subscriptions/options.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { UnprocessedDiagnoser } from '../unprocessed/diagnoser.ts'
import type { UnprocessedReplayer } from '../unprocessed/replayer.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'
import type { WebhookDatabase } from './database.ts'

/** What operators see and change, for `createOperations` of `@sallyport/operations`. An absent part has no routes. */
export interface WebhookOperations {
  /** A route is absent if the inbox lacks a method that the route needs. */
  readonly inbox: Partial<OperatorInbox> & Pick<DispatcherInbox, 'makeDue'>
  /** The providers of the gateway. @default none */
  readonly providers?: readonly AnyProvider[] | undefined
  readonly replayer?: Replayer | undefined
  readonly eraser?: Eraser | undefined
  readonly replayJobs?: Omit<ReplayJobs, 'start' | 'stop'> | undefined
  /** The counts of requests. */
  readonly traffic?: Pick<TrafficStore, 'sum'> | undefined
  /** The ignored and refused deliveries. */
  readonly unprocessed?: Pick<UnprocessedStore, 'list' | 'count' | 'get'> | undefined
  /** Processes an ignored or refused delivery again. */
  readonly replayUnprocessed?: UnprocessedReplayer | undefined
  /** Explains why a delivery was refused. */
  readonly diagnoseUnprocessed?: UnprocessedDiagnoser | undefined
  /** The consumers of the bus in the database. */
  readonly consumers?: ConsumerStore | undefined
  /** The destinations of events. */
  readonly destinations?: DestinationOperations | undefined
  /** The webhooks that are registered at services. */
  readonly subscriptions?: Pick<Subscriptions, 'get' | 'list' | 'count' | 'renew'> | undefined
  /** What services could not deliver. */
  readonly reconciliations?: ReconcileOperations | undefined
  /** The destinations that operators create and change. */
  readonly managedDestinations?:
    | (Pick<EndpointOperations, 'cipher'> & {
        readonly destinations: Omit<ManagedDestinations, 'list' | 'onChange' | 'names' | 'close'>
      })
    | undefined
  /** The processes that share the database. */
  readonly processes?:
    | (Pick<ProcessStore, 'list'> & {
        /**
         * The processes at the last heartbeat of this process, without the health of this one. None while the store is
         * unavailable.
         */
        readonly latest: () => readonly ProcessState[]
      })
    | undefined
  /** Records and lists what operators did. */
  readonly audit?: AuditLog | undefined
  /** Endpoints that operators create and change, with the parts of {@link EndpointOperations}. */
  readonly endpoints?: EndpointOperations | undefined
  /** Returns the endpoints that operators can read but not change. */
  readonly declaredEndpoints?: EndpointSource['declared']
  /** The public address of the gateway, before `/{provider}/{endpoint}`. @default '/webhooks' */
  readonly gatewayUrl?: string | undefined
  /** The responses to requests with an `Idempotency-Key`. @default the memory of the process */
  readonly idempotency?: WebhookDatabase['idempotency'] | undefined
  /**
   * Secrets of at least 32 bytes that sign cursors and fingerprint the bodies of requests. The first signs, all verify.
   *
   * @default a random secret of this process
   */
  readonly secrets?: readonly string[] | undefined
  /** Calls the listener when the inbox may have new work. @default streams find new items by polling, within a second */
  readonly onWork?: WebhookDatabase['onWork'] | undefined
  /** Texts for operators about this process, such as that the clock of the machine is wrong. @default none */
  readonly notices?: (() => readonly string[]) | undefined
  /** Ends all streams. */
  readonly stopping?: AbortSignal | undefined
}

/** The endpoints that operators manage. */
export interface EndpointOperations {
  readonly endpoints: Omit<Endpoints, 'find' | 'establishSecret' | 'reencrypt'>
  /** Encrypts the responses that contain a secret while they are stored for an `Idempotency-Key`. */
  readonly cipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>
  /** Creates the sender of test deliveries from the samples of providers. @default no test deliveries */
  readonly createTestSender?:
    ((loadSamples: TestDeliverySenderOptions['loadSamples']) => TestDeliverySender) | undefined
}
