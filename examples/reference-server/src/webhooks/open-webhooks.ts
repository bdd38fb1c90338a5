import {
  createDispatcher,
  createDrainer,
  createGateway,
  createRegistry,
  createReplayer,
  createRouting,
  type Attempt,
  type Gateway,
  type CompleteInbox,
  type Replayer,
} from '@sallyport/webhooks'
import type { Config } from '../config/config.ts'
import type { WebhookSecrets } from '../config/webhook-secrets.ts'
import { maxEventAge } from '../database/maintenance.ts'
import type { Storage } from '../database/storage.ts'
import type { Engines } from '../engines/open-engines.ts'
import { type Logger, logDelivery, logOutage } from '../logging/log.ts'
import { operatorNotifier } from './operator-notifier.ts'
import type { ServerTelemetry } from '../telemetry/telemetry.ts'

/** The pipeline of deliveries: the gateway records, the dispatcher publishes, the drainer empties the shared queue. */
export interface Webhooks {
  readonly gateway: Gateway
  readonly replayer: Replayer
  /** Starts the dispatcher and the drainer if the process has the role. */
  readonly start: () => void
  /** Starts no more work and waits for running work, at most for `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>
}

export interface WebhooksOptions {
  readonly config: Config
  readonly inbox: CompleteInbox
  /** Calls the listener when another process may have added work; undefined if the storage has no notifications. */
  readonly onWork: Storage['onWork']
  readonly engines: Pick<Engines, 'bus' | 'queue' | 'limiter'>
  readonly secrets: Pick<WebhookSecrets, 'keeper'>
  readonly telemetry: ServerTelemetry
  readonly log: Logger
  /** The poll interval of the dispatcher, in milliseconds. @default the default of the dispatcher */
  readonly pollMs?: number
}

export function openWebhooks(options: WebhooksOptions): Webhooks {
  const { config, inbox, onWork, engines, secrets, telemetry, log, pollMs } = options
  const { settings, providers } = config
  const publisher = telemetry.publisher(engines.bus)
  const { queue } = engines

  const dispatcher = createDispatcher({
    inbox,
    publisher,
    queue,
    timeoutMs: settings.BUS_TIMEOUT_MS,
    ...(pollMs !== undefined && { pollMs }),
    notifications: { notifier: telemetry.notifier(operatorNotifier(config, log)), providers },
    onAttempt: (attempt) => {
      telemetry.onAttempt(attempt)
      logAttempt(log, 'Attempt', attempt)
    },
    onError: logOutage(log, 'The inbox is unavailable'),
  })
  // Also without pilots: the queue may contain events of earlier pilots.
  const drainer = createDrainer({
    inbox,
    publisher,
    queue,
    timeoutMs: settings.BUS_TIMEOUT_MS,
    onAttempt: (attempt) => {
      telemetry.onAttempt(attempt)
      logAttempt(log, 'Drained', attempt)
      // The dispatcher sends the notification, but does not see attempts of the drainer.
      if (attempt.outcome.status === 'done') dispatcher.wake('notify')
    },
    onError: logOutage(log, 'The shared queue cannot be drained'),
  })

  const gateway = createGateway({
    providers,
    secrets: secrets.keeper,
    inbox,
    dispatcher,
    ...(engines.limiter && { limiter: engines.limiter }),
    onLimiterError: logOutage(log, 'Failures cannot be counted: no address is blocked'),
    allowVerified: settings.LIMITER_ALLOW_VERIFIED,
    limits: { bodyBytes: settings.WEBHOOK_BODY_LIMIT },
    queuePilots: settings.QUEUE_PILOTS,
    ...maxEventAge(settings),
    tracer: telemetry.tracer,
    observe: (observed) => {
      telemetry.observe(observed)
      logDelivery(log, observed)
    },
  })

  const replayer = createReplayer({
    inbox,
    providers,
    dispatcher,
    routeOf: createRouting(createRegistry(providers), settings.QUEUE_PILOTS),
    onQuarantined: (delivery, error) => {
      log.warn({ delivery, err: error }, 'A delivery stays quarantined')
    },
  })

  let unlisten: (() => void) | undefined
  return {
    gateway,
    replayer,
    start() {
      if (settings.ROLE.has('dispatcher')) {
        dispatcher.start()
        unlisten = onWork?.((work) => {
          dispatcher.wake(work)
        })
      }
      if (settings.ROLE.has('drainer')) drainer.start()
    },
    async stop(graceMs) {
      unlisten?.()
      await Promise.all([dispatcher.stop(graceMs), drainer.stop(graceMs)])
    },
  }
}

const attemptLevels = {
  done: 'info',
  queued: 'info',
  released: 'info',
  retry: 'warn',
  lost: 'warn',
  dead: 'error',
} as const satisfies Record<Attempt['outcome']['status'], keyof Logger>

function logAttempt(log: Logger, text: string, { work, event, attempts, outcome }: Attempt): void {
  log[attemptLevels[outcome.status]](
    { work, event: event.id, deliveryId: event.source.deliveryId, attempts, ...outcome },
    text,
  )
}
