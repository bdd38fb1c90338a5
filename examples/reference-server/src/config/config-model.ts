import type { PrivateKeyInput } from '@sallyport/auth'
import type { Admin } from '@sallyport/sql/accounts'
import type { OpenedDestinations } from '@sallyport/buses/destinations-file'
import type { HttpDestination } from '@sallyport/buses/http'
import type { AnyProvider } from '@sallyport/webhooks'
import type { WebhooksOptions } from '@sallyport/webhooks/node'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import type { SubscriptionsOptions } from '@sallyport/webhooks/subscriptions'
import type { BusRoute } from '../engines/routes-file.ts'
import type { Settings } from './settings.ts'
import type { Issuer } from './single-sign-on.ts'

export interface Config {
  readonly settings: Settings
  readonly production: boolean
  /** Private keys for access tokens: the first signs, all verify. With none, the secrets sign. */
  readonly jwtKeys: readonly PrivateKeyInput[]
  /** The first signs, all verify. */
  readonly jwtSecrets: readonly string[]
  /** The keys of endpoints' secrets and of stored deliveries: the first encrypts, all decrypt. With none, no secret can be stored. */
  readonly encryptionKeys: readonly Uint8Array[]
  /** The first admin of the secrets. */
  readonly admin: Admin | undefined
  /** A generated first admin for development, if the secrets have none. */
  readonly developmentAdmin: DevelopmentAdmin | undefined
  /** The issuer where users log in, without the secrets of cookies. */
  readonly issuer: Issuer | undefined
  readonly providers: readonly AnyProvider[]
  /** The routes of ROUTES_FILE; empty without the setting. */
  readonly routes: readonly BusRoute[]
  /** The destinations of ROUTES_FILE, and that of BUS_URL. */
  readonly destinations: readonly HttpDestination[]
  /** Reads them again. */
  readonly readDestinations: () => OpenedDestinations
  /** The subscriptions of SUBSCRIPTIONS_FILE; undefined without the setting. */
  readonly subscriptions: SubscriptionsOptions | undefined
  /** The sources of RECONCILE_FILE; undefined without the setting. */
  readonly reconcile: WebhooksOptions<[]>['reconcile']
  /** Registered providers of modules that replace built-in ones. */
  readonly replaced: readonly string[]
  /** The store of the providers' secrets. */
  readonly secrets: SecretStore
  /** The store without generated secrets. */
  readonly givenSecrets: SecretStore
  /** Providers of the default list that are not registered because they have no secret. */
  readonly leftOut: readonly string[]
  /** Providers of the default list that are registered while the store fails to return their secrets. */
  readonly undecided: readonly string[]
  /** Providers without a secret, whose deliveries need an endpoint. */
  readonly endpointOnly: readonly string[]
  /** Optional secrets that count as unset because the store failed, each with the reason. */
  readonly unasked: readonly { readonly name: string; readonly why: string }[]
  /** Whether the server uses generated secrets from `secrets.json` of the data directory. */
  readonly usesDevelopmentSecrets: boolean
  /** Notices for the operator about variables that may be one secret or a list. */
  readonly notices: readonly string[]
}

/** A first admin that the server generates for development. */
export interface DevelopmentAdmin extends Admin {
  /** Writes the password to `secrets.json`. */
  readonly savePassword: () => void
}

export type ConfigResult = { readonly config: Config } | { readonly problems: readonly string[] }
