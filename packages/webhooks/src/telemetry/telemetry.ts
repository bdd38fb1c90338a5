import type { Attempt } from '../dispatch/work-loop.ts'
import type { ConsumerStore } from '../consume/store.ts'
import type { DeliveryTracer, Observation } from '../gateway/gateway-contract.ts'
import type { ObservedProcess } from './process-metrics.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { ReconcileOperations } from '../reconcile/reconciler.ts'
import type { Subscriptions } from '../subscriptions/options.ts'
import type { GatewayInbox, Notifier, OperatorInbox, Publisher } from '../ports/ports.ts'

/** Hooks for a gateway and a dispatcher, and wrappers that measure the ports. */
export interface Telemetry {
  /** Traces deliveries: the gateway's `tracer`. */
  readonly tracer: DeliveryTracer
  /** Counts deliveries: the gateway's `observe`. */
  readonly observe: (observation: Observation) => void
  /** Counts ignored and refused deliveries that are not kept: the `onDropped` of an unprocessed keeper. */
  readonly onUnprocessedDropped: (outcome: 'ignored' | 'refused', cause: string) => void
  /** Counts requests that no statistics count: the `onDropped` of a traffic recorder. */
  readonly onCountsDropped: (requests: number) => void
  /** Counts attempts: the dispatcher's `onAttempt`. */
  readonly onAttempt: (attempt: Attempt) => void
  /** Counts events that the filter of a destination rejects. */
  readonly onFiltered: (destination: string, event: WebhookEvent) => void
  /** Wraps an inbox and times its `record`. */
  readonly inbox: <T extends GatewayInbox>(inbox: T) => T
  /**
   * Wraps a publisher, and traces and times its batches. `system` is the bus as `messaging.system` names it: `nats`,
   * `kafka`; the default is `sallyport`.
   */
  readonly publisher: (publisher: Publisher, options?: { readonly system?: string }) => Publisher
  /** Runs a handler, and traces and times the run: the runner's `runHandler`. */
  readonly runHandler: <T>(event: WebhookEvent, run: () => Promise<T>) => Promise<T>
  /** Wraps a notifier, and traces and times its messages. */
  readonly notifier: (notifier: Notifier) => Notifier
  /** Reports the statistics of an inbox as gauges at each collection. Returns a function that stops the gauges. */
  readonly watch: (inbox: Pick<OperatorInbox, 'stats'>) => () => void
  /** Reports the webhooks that are registered at services in the same way. */
  readonly watchSubscriptions: (subscriptions: Pick<Subscriptions, 'count'>) => () => void
  /** Reports the sources of missed deliveries in the same way. */
  readonly watchReconciliations: (reconciler: Pick<ReconcileOperations, 'list'>) => () => void
  /** Reports the consumers of the bus in a database in the same way. */
  readonly watchConsumers: (consumers: Pick<ConsumerStore, 'list'>) => () => void
  /** Reports the process with its memory and event loop, its buses, and the processes beside it in the same way. */
  readonly watchProcess: (process: ObservedProcess) => () => void
}
