import { SallyportError } from '@sallyport/errors'
import { createDataref } from '@sallyport/operations'
import {
  createDrainer,
  createMemoryFailureLimiter,
  type DestinationSource,
  type SecretKeeper,
} from '@sallyport/webhooks'
import type { Endpoints } from '@sallyport/webhooks/endpoints'
import {
  createWebhooks,
  type WebhookProcess,
  type Webhooks,
  type WebhookRetention,
} from '@sallyport/webhooks/node'
import { openAlertOptions, type AlertsContext } from '../alerts/alert-options.ts'
import type { Config } from '../config/config.ts'
import { deriveKeys } from '../config/derived-keys.ts'
import { readRedactPaths } from '../config/provider-settings.ts'
import type { Storage } from '../database/storage.ts'
import type { Engines } from '../engines/open-engines.ts'
import { apiPath } from '../http/path.ts'
import { type Logger, createAttemptLog, logDelivery, logOutage, logOutages } from '../logging/log.ts'
import type { ServerTelemetry } from '../telemetry/telemetry.ts'
import { version } from '../version.ts'
import { openOperators } from './operators.ts'

/** The webhooks of a process: the gateway records, the dispatcher publishes, the drainer empties the shared queue. */
export interface ServerWebhooks extends Pick<Webhooks, 'gateway' | 'operations'> {
  /** Starts the dispatcher and the drainer if the process has the role. */
  readonly start: () => void
  /** Starts no more work and waits for running work, at most for `stopMs`. */
  readonly stop: () => Promise<void>
}

export interface ServerWebhooksOptions {
  readonly config: Config
  readonly storage: Pick<Storage, 'inbox' | 'stores'>
  readonly engines: Pick<Engines, 'bus' | 'queue' | 'limiter'>
  readonly secrets: SecretKeeper
  readonly endpoints: Endpoints
  readonly destinations: DestinationSource
  readonly queueWatch: AlertsContext['queueWatch']
  readonly telemetry: ServerTelemetry
  /** The state of the process for its heartbeat. @default no dependencies and no notices */
  readonly getHealth?: NonNullable<WebhookProcess['getHealth']>
  readonly log: Logger
  /** Delete further expired rows, once an hour. @default none */
  readonly prunes?: WebhookRetention['tasks']
  /** How long a stop waits for running work, in milliseconds. */
  readonly stopMs: number
  /** The poll interval of the dispatcher, in milliseconds. @default the default of the dispatcher */
  readonly pollMs?: number
}

const hour = 60 * 60 * 1000
const day = 24 * hour

export function openWebhooks(options: ServerWebhooksOptions): ServerWebhooks {
  const { config, storage, engines, telemetry, log, pollMs, stopMs } = options
  const { settings, providers } = config
  const hasBus = settings.BUS_URL !== undefined || config.routes.length + settings.QUEUE_PILOTS.length > 0
  const publishes = hasBus || config.destinations.length === 0
  const { KEEP_UNPROCESSED_HOURS: keepHours, MAX_EVENT_AGE_DAYS: maxAgeDays } = settings
  const operators = openOperators(config, log)
  const alerts = openAlertOptions({ ...options, settings, operators: operators.alerts })
  const dataref = createDataref(`${settings.PUBLIC_URL ?? ''}${apiPath}`)
  const report = logOutages(log)
  const attempts = createAttemptLog(log)

  const webhooks = createWebhooks({
    database: { ...storage.stores, inbox: () => storage.inbox },
    providers,
    secrets: withoutAddress(options.secrets, config.endpointOnly),
    endpoints: options.endpoints,
    // Every process has these secrets, also without ENCRYPTION_KEYS.
    encryptionKeys: deriveKeys(config.jwtSecrets, 'webhooks').map((key) => Buffer.from(key).toString('hex')),
    ...(publishes && { publisher: engines.bus }),
    destinations: options.destinations,
    ...(config.subscriptions && { subscriptions: config.subscriptions }),
    ...(config.reconcile && { reconcile: config.reconcile }),
    unprocessed: keepHours > 0 && {
      keepForMs: keepHours * hour,
      // Ignored and refused deliveries each have a half.
      bytes: Math.ceil(settings.KEEP_UNPROCESSED_BYTES / 2),
      bodyBytes: settings.KEEP_UNPROCESSED_BODY_BYTES,
    },
    ...(settings.REDACT.length > 0 && { redact: readRedactPaths(settings, providers) }),
    ...(alerts && { alerts }),
    process: {
      ...{ version, roles: [...settings.ROLE].filter((role) => role !== 'dispatcher') },
      ...(options.getHealth && { getHealth: options.getHealth }),
    },
    retention: {
      publishedForMs: settings.RETENTION_DAYS * day,
      bodiesForMs: settings.BODY_RETENTION_DAYS * day,
      bodyBytes: settings.BODY_MAX_BYTES,
      keysForMs: settings.DEDUPE_DAYS * day,
      auditForMs: settings.AUDIT_RETENTION_DAYS * day,
      tasks: options.prunes ?? [],
      onPruned: (result) => {
        log.info(result, 'Pruned')
      },
    },
    onError: (error, part) => {
      report(`The ${part} failed, and the server tries again`, error)
    },
    onAttempt: (attempt) => {
      attempts.add('Attempt', attempt)
    },
    onQuarantined: (delivery, error) => {
      log.warn({ delivery, err: error }, 'A delivery stays quarantined')
    },
    ...(settings.PUBLIC_URL !== undefined && { publicUrl: settings.PUBLIC_URL }),
    telemetry,
    gateway: {
      endpointLimiter: createMemoryFailureLimiter({ failures: settings.ENDPOINT_RATE_LIMIT }),
      disabledEndpointStatus: settings.DISABLED_ENDPOINT_STATUS === '404' ? 404 : 410,
      ...(engines.limiter && { limiter: engines.limiter }),
      onLimiterError: logOutage(log, 'Failures cannot be counted: no address is blocked'),
      allowVerified: settings.LIMITER_ALLOW_VERIFIED,
      limits: { bodyBytes: settings.WEBHOOK_BODY_LIMIT },
      allowUnsigned: settings.ALLOW_UNSIGNED,
      queuePilots: settings.QUEUE_PILOTS,
      ...(maxAgeDays !== undefined && { maxEventAgeMs: maxAgeDays * day }),
      observe: (observed) => {
        logDelivery(log, observed)
      },
    },
    dispatcher: {
      ...(publishes && { queue: engines.queue, dataref, timeoutMs: settings.BUS_TIMEOUT_MS }),
      ...(pollMs !== undefined && { pollMs }),
      notifications: { notifier: operators.notifier, providers },
    },
  })
  // Also without pilots: the queue may contain events of earlier pilots.
  const drainer = settings.ROLE.has('drainer')
    ? createDrainer({
        inbox: storage.inbox,
        publisher: telemetry.publisher(engines.bus),
        consumer: engines.queue.consumer,
        dataref,
        timeoutMs: settings.BUS_TIMEOUT_MS,
        stopTimeoutMs: Math.ceil(stopMs),
        onAttempt: (attempt) => {
          telemetry.onAttempt(attempt)
          attempts.add('Drained', attempt)
          // The dispatcher sends the notification, but does not see attempts of the drainer.
          if (attempt.outcome.status === 'done') webhooks.dispatcher.wake('notify')
        },
        onError: logOutage(log, 'The shared queue cannot be drained'),
      })
    : undefined

  return {
    gateway: webhooks.gateway,
    operations: webhooks.operations,
    start() {
      webhooks.start({ dispatch: settings.ROLE.has('dispatcher') })
      void drainer?.start()
    },
    async stop() {
      await Promise.all([webhooks.stop(stopMs), drainer?.stop()])
      attempts.flush()
    },
  }
}

/** Answers 404 on the addresses of providers whose deliveries need an endpoint. */
function withoutAddress(secrets: SecretKeeper, endpointOnly: readonly string[]): SecretKeeper {
  const names = new Set(endpointOnly)
  return {
    ...secrets,
    getSecrets(name) {
      if (names.has(name))
        throw new SallyportError('UNKNOWN_ENDPOINT', 'Deliveries of this provider need an endpoint')
      return secrets.getSecrets(name)
    },
  }
}
