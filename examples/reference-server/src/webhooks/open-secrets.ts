import { leaseSecrets, type LeasedSecrets } from '@sallyport/webhooks/secret-stores'
import type { Config } from '../config/config.ts'
import { webhookSecretName } from '../config/development-secrets.ts'
import type { Logger } from '../logging/log.ts'

/** Leases the secrets of the addresses without an endpoint, and logs outages of their store. */
export function openSecrets(config: Config, log: Pick<Logger, 'warn'>): Promise<LeasedSecrets> {
  const names = config.providers.map(({ name }) => name)
  return leaseSecrets({
    store: config.secrets,
    providers: names.filter((name) => !config.endpointOnly.includes(name)),
    nameOf: webhookSecretName,
    optional: config.undecided,
    optionalHint: 'If it has no secret, list your providers in PROVIDERS',
    onChange: (text, error) => {
      log.warn({ err: error }, text)
    },
  })
}
