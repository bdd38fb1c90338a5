import { describeSecretList, separateSecrets } from '@sallyport/internal/secret-list'
import type { Config } from './config.ts'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { webhookSecretName } from './development-secrets.ts'

/** Separates the secrets in the variables of providers, whose schemes decide which commas separate. */
export async function separateProviderSecrets(config: Config): Promise<Config> {
  const { givenSecrets, secrets } = config
  const lists = new Map<string, readonly string[]>()
  const notices = [...config.notices]
  for (const { name, signature } of config.providers) {
    const variable = webhookSecretName(name)
    const whole = givenSecrets.whole(variable)
    if (whole === undefined) continue
    const { values, isAmbiguous } = await separateSecrets({ values: [], whole }, signature)
    lists.set(variable, values)
    if (isAmbiguous) notices.push(describeSecretList(variable, values))
  }
  return {
    ...config,
    notices,
    secrets: withLists(secrets, lists),
    givenSecrets: withLists(givenSecrets, lists),
  }
}

/** Replaces the values of the variables with the given names. A variable is not read again. */
const withLists = (store: SecretStore, lists: ReadonlyMap<string, readonly string[]>): SecretStore => ({
  ...store,
  all: (name) => lists.get(name) ?? store.all(name),
  async renew(name) {
    const values = lists.get(name)
    return values ? { values } : store.renew(name)
  },
})
