import type { EndpointSource } from '../ports/ports.ts'
import type { SecretKeeper, StaticSecrets } from '../secrets/secret-keeper.ts'
import type { SubscriptionLoop } from '../subscriptions/subscriptions.ts'
import type { Core } from './core.ts'
import { openEndpoints } from './endpoints.ts'
import type { AnyOptions } from './options.ts'
import { openSecrets } from './secrets.ts'
import { openSubscriptions, removeWithEndpoints } from './subscriptions.ts'

/** The secrets of all addresses. */
export interface Addresses {
  /** Of the addresses without an endpoint. */
  readonly secrets: SecretKeeper | StaticSecrets | undefined
  readonly endpoints: EndpointSource | undefined
}

/** Opens the addresses that services send to. @throws TypeError as `openEndpoints`, `openSecrets` and `openSubscriptions` */
export function openAddresses(options: AnyOptions, core: Core) {
  const source = openEndpoints(options.endpoints, core)
  const secrets = openSecrets(options.secrets, source === undefined ? core.providers : [], core.onError)
  const subscriptions: SubscriptionLoop | undefined = openSubscriptions(options.subscriptions, core, {
    secrets,
    endpoints: source,
  })
  return { secrets, subscriptions, endpoints: removeWithEndpoints(source, subscriptions) }
}
