import type { ConsumerStore } from '../consume/store.ts'
import type { OperatorInbox } from '../ports/ports.ts'
import type { ObservedProcess } from '../telemetry/process-metrics.ts'
import type { ReconcileOperations } from '../reconcile/reconciler.ts'
import type { Subscriptions } from '../subscriptions/options.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Core } from './core.ts'
import type { WebhookInbox } from './database.ts'
import type { Processes } from './processes.ts'
import { hasMethod } from './has-method.ts'
import type { AnyOptions } from './options.ts'

/** Calls several hooks with the same value; undefined without a hook. */
export function callAll<Value>(
  ...hooks: readonly (((value: Value) => unknown) | undefined)[]
): ((value: Value) => void) | undefined {
  const given = hooks.filter((hook) => hook !== undefined)
  if (given.length === 0) return undefined
  return (value) => {
    for (const hook of given) hook(value)
  }
}

/** Measures the messages to operators. */
export function instrumentNotifications(
  notifications: NonNullable<AnyOptions['dispatcher']>['notifications'],
  telemetry: Telemetry | undefined,
) {
  if (notifications === undefined || telemetry === undefined) return notifications
  return { ...notifications, notifier: telemetry.notifier(notifications.notifier) }
}

interface Measured {
  readonly consumers: ConsumerStore | undefined
  readonly processes: Pick<Processes, 'heartbeat' | 'version'> | undefined
  readonly subscriptions: Pick<Subscriptions, 'count'> | undefined
  readonly reconciler: Pick<ReconcileOperations, 'list'> | undefined
}

/** Shows the process, the statistics of an inbox, and the parts of its database as gauges while it runs. */
export function createGauges(
  { telemetry, inbox }: Core,
  { consumers, processes, subscriptions, reconciler }: Measured,
) {
  let stops: readonly (() => void)[] = []
  return {
    start() {
      if (telemetry === undefined || stops.length > 0) return
      stops = [
        ...(hasStats(inbox) ? [telemetry.watch(inbox)] : []),
        ...(consumers ? [telemetry.watchConsumers(consumers)] : []),
        ...(subscriptions ? [telemetry.watchSubscriptions(subscriptions)] : []),
        ...(reconciler ? [telemetry.watchReconciliations(reconciler)] : []),
        ...(processes ? [telemetry.watchProcess(toObserved(processes))] : []),
      ]
    },
    stop() {
      for (const stop of stops) stop()
      stops = []
    },
  }
}

const toObserved = ({ version, heartbeat }: Pick<Processes, 'heartbeat' | 'version'>): ObservedProcess => ({
  version,
  roles: heartbeat.roles,
  dependencies: () => heartbeat.health().dependencies,
  processes: heartbeat.latest,
})

export const hasStats = (inbox: WebhookInbox): inbox is WebhookInbox & Pick<OperatorInbox, 'stats'> =>
  hasMethod(inbox, 'stats')
