import { createDataref } from '@sallyport/operations'
import {
  createDispatcher,
  createDrainer,
  createGateway,
  memoryFailureLimiter,
  createRegistry,
  createReplayer,
  createRouting,
  type Attempt,
  type EndpointSource,
  type CompleteInbox,
  type Notifier,
  type RecordingGateway,
  type Replayer,
} from '@sallyport/webhooks'
import { SallyportError } from '@sallyport/errors'
import type { TrafficRecorder } from '@sallyport/webhooks/traffic'
import type { UnprocessedKeeper } from '@sallyport/webhooks/unprocessed'
import type { Config } from '../config/config.ts'
import type { WebhookSecrets } from '../config/webhook-secrets.ts'
import { maxEventAge } from '../database/maintenance.ts'
import type { Storage } from '../database/storage.ts'
import type { Engines } from '../engines/open-engines.ts'
import { type Logger, logDelivery, logOutage } from '../logging/log.ts'
import { apiPath } from '../http/path.ts'
import type { ServerTelemetry } from '../telemetry/telemetry.ts'

/** The pipeline of deliveries: the gateway records, the dispatcher publishes, the drainer empties the shared queue. */
export interface Webhooks {
  readonly gateway: RecordingGateway
  readonly replayer: Replayer
  /** Starts the dispatcher and the drainer if the process has the role. */
  readonly start: () => void
  /** Starts no more work and waits for running work, at most for `stopMs`. */
  readonly stop: () => Promise<void>
}

export interface WebhooksOptions {
  readonly config: Config
  readonly inbox: CompleteInbox
  /** Calls the listener when another process may have added work; undefined if the storage has no notifications. */
  readonly onWork: Storage['onWork']
  readonly engines: Pick<Engines, 'bus' | 'queue' | 'limiter'>
  readonly secrets: Pick<WebhookSecrets, 'keeper'>
  /** @default none */
  readonly endpoints?: EndpointSource
  /** Sends the messages of notify functions. */
  readonly notifier: Notifier
  readonly telemetry: ServerTelemetry
  /** Counts the requests of the gateway. @default no counts */
  readonly traffic?: Pick<TrafficRecorder, 'observe'>
  /** Keeps ignored and refused deliveries. @default none is kept */
  readonly keeper?: Pick<UnprocessedKeeper, 'keep'> | undefined
  readonly log: Logger
  /** How long a stop waits for running work, in milliseconds. */
  readonly stopMs: number
  /** The poll interval of the dispatcher, in milliseconds. @default the default of the dispatcher */
  readonly pollMs?: number
}

export function openWebhooks(options: WebhooksOptions): Webhooks {
  const { config, inbox, onWork, engines, secrets, telemetry, traffic, log, pollMs } = options
  const { settings, providers } = config
  const publisher = telemetry.publisher(engines.bus)
  const { queue } = engines

  const dataref = createDataref(`${settings.PUBLIC_URL ?? ''}${apiPath}`)

  const dispatcher = createDispatcher({
    inbox,
    publisher,
    queue,
    dataref,
    timeoutMs: settings.BUS_TIMEOUT_MS,
    ...(pollMs !== undefined && { pollMs }),
    notifications: { notifier: telemetry.notifier(options.notifier), providers },
    onAttempt: (attempt) => {
      telemetry.onAttempt(attempt)
      logAttempt(log, 'Attempt', attempt)
    },
    onError: logOutage(log, 'The inbox is unavailable'),
  })
  // Also without pilots: the queue may contain events of earlier pilots.
  const drainer = settings.ROLE.has('drainer')
    ? createDrainer({
        inbox,
        publisher,
        consumer: queue.consumer,
        dataref,
        timeoutMs: settings.BUS_TIMEOUT_MS,
        stopTimeoutMs: Math.ceil(options.stopMs),
        onAttempt: (attempt) => {
          telemetry.onAttempt(attempt)
          logAttempt(log, 'Drained', attempt)
          // The dispatcher sends the notification, but does not see attempts of the drainer.
          if (attempt.outcome.status === 'done') dispatcher.wake('notify')
        },
        onError: logOutage(log, 'The shared queue cannot be drained'),
      })
    : undefined

  const gateway = createGateway({
    providers,
    secrets: withoutAddress(secrets.keeper, config.endpointOnly),
    endpoints: options.endpoints,
    endpointLimiter: memoryFailureLimiter({ failures: settings.ENDPOINT_RATE_LIMIT }),
    disabledEndpointStatus: settings.DISABLED_ENDPOINT_STATUS === '404' ? 404 : 410,
    inbox,
    dispatcher,
    ...(engines.limiter && { limiter: engines.limiter }),
    onLimiterError: logOutage(log, 'Failures cannot be counted: no address is blocked'),
    allowVerified: settings.LIMITER_ALLOW_VERIFIED,
    limits: { bodyBytes: settings.WEBHOOK_BODY_LIMIT },
    allowUnsigned: settings.ALLOW_UNSIGNED,
    queuePilots: settings.QUEUE_PILOTS,
    ...maxEventAge(settings),
    onUnprocessed: options.keeper?.keep,
    tracer: telemetry.tracer,
    observe: (observed) => {
      telemetry.observe(observed)
      traffic?.observe(observed)
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
      void drainer?.start()
    },
    async stop() {
      unlisten?.()
      await Promise.all([dispatcher.stop(options.stopMs), drainer?.stop()])
    },
  }
}

/** Answers 404 on the addresses of providers whose deliveries need an endpoint. */
function withoutAddress(
  keeper: WebhookSecrets['keeper'],
  endpointOnly: readonly string[],
): WebhookSecrets['keeper'] {
  const names = new Set(endpointOnly)
  return {
    ...keeper,
    getSecrets(name) {
      if (names.has(name))
        throw new SallyportError('UNKNOWN_ENDPOINT', 'Deliveries of this provider need an endpoint')
      return keeper.getSecrets(name)
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
    {
      work,
      event: event.id,
      endpoint: event.source.endpoint,
      deliveryId: event.source.deliveryId,
      attempts,
      ...outcome,
    },
    text,
  )
}
