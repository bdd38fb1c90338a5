import { createSecretKeeper, type Notifier } from '@sallyport/webhooks'
import { createHttpAlerts, type AlertTarget } from '@sallyport/webhooks/alerts'
import { createHttpNotifier, createLogNotifier, type NotifierLog } from '@sallyport/webhooks/notifiers'
import type { Config } from '../config/config.ts'
import { operatorSecretName, usableOperatorSecrets } from '../config/operator-secret.ts'
import type { Logger } from '../logging/log.ts'

/** The receiver of notifications and alerts. */
export interface Operators {
  readonly notifier: Notifier
  /** Undefined without OPERATOR_URL. */
  readonly alerts: AlertTarget | undefined
}

/** Opens the receiver: OPERATOR_URL, with the newest secret, or the log. */
export function openOperators({ settings, secrets }: Config, log: Logger): Operators {
  const { OPERATOR_URL: url } = settings
  if (url === undefined) return { notifier: createLogNotifier(withoutTexts(log)), alerts: undefined }

  const keeper = createSecretKeeper(
    {
      async lease(name) {
        const { values, leaseMs } = await secrets.renew(name)
        const expires = leaseMs === undefined ? {} : { expiresAt: Date.now() + leaseMs }
        return { values: usableOperatorSecrets(values), ...expires }
      },
    },
    {
      // Longer than the timeout of SECRETS_COMMAND.
      timeoutMs: 12_000,
      onError: (name, error) => {
        log.warn({ err: error }, `${name} is unavailable: the last valid value, if any, stays in use`)
      },
    },
  )
  const receiver = {
    url,
    async secret() {
      const [newest = ''] = await keeper.getSecrets(operatorSecretName)
      return newest
    },
  }
  return {
    notifier: createHttpNotifier(receiver),
    alerts: createHttpAlerts({ ...receiver, name: 'operators' }),
  }
}

/** Logs titles at the level of their severity, and texts and links, which may be personal data, at debug. */
function withoutTexts(log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>): NotifierLog {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, title: string) => {
    const { notification, ...event } = fields as { readonly notification?: unknown }
    log[level](event, title)
    log.debug({ ...event, notification }, 'Notification')
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
