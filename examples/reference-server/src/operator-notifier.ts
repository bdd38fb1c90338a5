import { createSecretKeeper, type Notifier } from '@sallyport/webhooks'
import { httpNotifier, logNotifier } from '@sallyport/webhooks/notifiers'
import type { Config } from './config/config.ts'
import { operatorSecretName, usableOperatorSecrets } from './config/operator-secret.ts'
import { leaseTimeoutMs } from './config/webhook-secrets.ts'
import type { Logger } from './log.ts'

/** Where messages to the operators go: to their gateway, signed with the newest secret, or into the log. */
export function operatorNotifier({ settings, secrets }: Config, log: Logger): Notifier {
  const { OPERATOR_URL: url } = settings
  if (url === undefined) return logNotifier(log)

  const keeper = createSecretKeeper(
    {
      async lease(name) {
        const { values, leaseMs } = await secrets.renew(name)
        const expires = leaseMs === undefined ? {} : { expiresAt: Date.now() + leaseMs }
        return { values: usableOperatorSecrets(values), ...expires }
      },
    },
    {
      timeoutMs: leaseTimeoutMs,
      onError: (name, error) => {
        log.warn(
          { err: error },
          `${name} cannot be had now: the last good value stays in use, if there is one`,
        )
      },
    },
  )
  return httpNotifier({
    url,
    async secret() {
      const [newest = ''] = await keeper.secretsOf(operatorSecretName)
      return newest
    },
  })
}
