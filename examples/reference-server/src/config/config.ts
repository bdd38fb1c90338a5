import { isDeepStrictEqual } from 'node:util'
import { describeSecretList } from '@sallyport/internal/secret-list'
import type { AnyProvider } from '@sallyport/webhooks'
import type { ProviderModules } from '@sallyport/webhooks/node'
import {
  commandSecrets,
  environmentSecrets,
  withFallback,
  type SecretStore,
} from '@sallyport/webhooks/secret-stores'
import { createDestinationOpener } from '@sallyport/buses/destinations-file'
import { readReconcileFile } from '@sallyport/providers/reconcile-file'
import { subscriptionServices } from '@sallyport/providers/subscriptions'
import { destinationSchema } from '@sallyport/webhooks/filter'
import { readSubscriptionsFile } from '@sallyport/webhooks/subscriptions-file'
import { noRoutes, readRoutesFile, type Routes } from '../engines/routes-file.ts'
import { findAdminProblems } from '@sallyport/sql/accounts'
import type { ConfigResult } from './config-model.ts'
import { encryptionKeysName, readEncryptionKeys } from './encryption-keys.ts'
import { jwtProblems, pilotProblems, readJwtKeys, settingConflicts } from './checks.ts'
import { narrowProvider, providerProblems } from './provider-settings.ts'
import { registerProviders, selectProviders } from './providers.ts'
import { describeMisspelled } from './misspelled.ts'
import { operatorProblems, operatorSecretName } from './operator-secret.ts'
import { withSecretAddresses } from './secret-addresses.ts'
import { readDestinationUrl } from './address-types.ts'
import { readSettings, type Settings } from './settings.ts'
import { issuerSecretNames, readIssuer } from './single-sign-on.ts'
import { developmentSecrets, webhookSecretName } from './development-secrets.ts'
import { createDevelopmentAdmin, createGenerators } from './generated-secrets.ts'

export type { Config, ConfigResult } from './config-model.ts'

type Environment = Readonly<Record<string, string | undefined>>

const none: ProviderModules = { providers: [], problems: [] }

/** A failing command does not prevent the start for these secrets: it may fail for a secret that does not exist. */
const optionalSecrets = ['JWT_KEYS', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', encryptionKeysName]

/**
 * Reads the configuration from the environment, or lists all its problems.
 * With a problem, nothing is written. Outside production, missing secrets are generated in the data directory.
 */
export function readConfig(
  environment: Environment,
  builtIn: readonly AnyProvider[],
  modules: ProviderModules = none,
  generic: ProviderModules = none,
): ConfigResult {
  const addressed = withSecretAddresses(environment)
  const { settings: read, problems: settingProblems } = readSettings(addressed.environment)
  const destinationUrl = readDestinationUrl(read.BUS_URL)
  const settings = destinationUrl === undefined ? read : { ...read, BUS_URL: undefined }
  const problems = [
    ...addressed.problems,
    ...settingProblems,
    ...modules.problems.map((problem) => `PROVIDER_MODULES: ${problem}`),
    ...generic.problems.map((problem) => `GENERIC_PROVIDERS: ${problem}`),
    ...settingConflicts(settings, environment, settingProblems.length === 0),
  ]
  const production = environment['NODE_ENV'] === 'production'
  const hasOperators = Boolean(environment['OPERATOR_URL'])
  const given = openSecretStore(environment, settings)

  // A command is not asked for the secrets of all built-in providers.
  const local = environmentSecrets(environment, { folder: settings.SECRETS_DIR })
  const { available, chosen, replaced } = selectProviders({
    ...{ builtIn, modules, generic, problems },
    named: settings.PROVIDERS,
    hasSecret: ({ name }) => local.all(webhookSecretName(name)).length > 0,
  })
  const secretNames = [
    'JWT_SECRET',
    ...optionalSecrets,
    ...(hasOperators ? [operatorSecretName] : []),
    ...(settings.OIDC_ISSUER === undefined ? [] : issuerSecretNames),
    ...chosen.map(({ name }) => webhookSecretName(name)),
  ]
  // All secrets are read first: `denies` depends on the answers for the other secrets.
  problems.push(...secretNames.flatMap((name) => given.fault(name) ?? []))
  const named = settings.PROVIDERS !== undefined
  // With endpoints, a named provider needs no secret for the address without an endpoint.
  const hasEndpoints =
    named && (settings.ENDPOINTS_FILE !== undefined || given.all(encryptionKeysName).length > 0)
  const { registered, awaited, without } = registerProviders({
    ...{ chosen, given, named, production, hasEndpoints },
  })
  const routing = readRoutes(settings, given, available)
  problems.push(...routing.problems)
  const openDestinations = createDestinationOpener({
    ...{ secrets: given, providers: registered, allowPrivate: settings.DESTINATION_ALLOW_PRIVATE },
  })
  const destinations = openDestinations(listDestinations(routing, destinationUrl))
  problems.push(...destinations.problems)
  const { SUBSCRIPTIONS_FILE: subscriptionsPath } = settings
  const subscriptions =
    subscriptionsPath === undefined
      ? undefined
      : readSubscriptionsFile(subscriptionsPath, { secrets: given, name: 'SUBSCRIPTIONS_FILE' })
  problems.push(...(subscriptions?.problems ?? []))
  const { RECONCILE_FILE: reconcilePath } = settings
  const reconcile =
    reconcilePath === undefined
      ? undefined
      : readReconcileFile(reconcilePath, {
          ...{ secrets: given, name: 'RECONCILE_FILE', providers: registered.map(({ name }) => name) },
        })
  problems.push(...(reconcile?.problems ?? []))
  problems.push(...pilotProblems(settings.QUEUE_PILOTS, available, registered))
  if (settingProblems.length === 0) problems.push(...providerProblems(settings, available, registered))
  if (production) {
    const missing = named && !hasEndpoints ? without : []
    for (const { name } of missing)
      problems.push(`${webhookSecretName(name)} is missing: PROVIDERS names ${name}`)
    if (given.all('JWT_SECRET').length === 0)
      problems.push(given.failure('JWT_SECRET') ?? 'JWT_SECRET is missing: set it to 32 random bytes or more')
  }
  if (production && settings.ENCRYPT_BODIES && given.all(encryptionKeysName).length === 0)
    problems.push(`${encryptionKeysName} is missing: ENCRYPT_BODIES needs a key`)
  if (settings.ENCRYPT_SUBJECTS && !settings.ENCRYPT_BODIES)
    problems.push('ENCRYPT_SUBJECTS needs ENCRYPT_BODIES=1')
  if (hasOperators) problems.push(...operatorProblems(given, production))
  const jwtSecrets = given.all('JWT_SECRET')
  const jwtKeys = readJwtKeys(given.one('JWT_KEYS'), problems)
  problems.push(...jwtProblems(jwtKeys, jwtSecrets))
  readEncryptionKeys(given.all(encryptionKeysName), problems)
  const admin = readAdmin(given)
  const issuer = settingProblems.length === 0 ? readIssuer(settings, given, problems) : undefined
  if (settings.PASSWORD_LOGIN === 'off' && production && admin.email === undefined)
    problems.push('PASSWORD_LOGIN=off needs ADMIN_EMAIL, which remains as a way in')
  if ((admin.email === undefined) !== (admin.password === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD belong together: set both or neither')
  } else if (isComplete(admin)) {
    for (const { field, message } of findAdminProblems(admin))
      problems.push(`ADMIN_${field.toUpperCase()}: ${message}`)
  }
  if (problems.length > 0) return { problems: [...new Set(problems)] }

  const generators = production ? {} : createGenerators(given, without, hasOperators)
  const lacksAdmin = !production && admin.email === undefined
  const usesDevelopmentSecrets = lacksAdmin || Object.keys(generators).length > 0
  let secrets = given
  if (usesDevelopmentSecrets) {
    try {
      secrets = withFallback(given, developmentSecrets(settings.DATA_DIR, generators))
    } catch (error) {
      return { problems: [`DATA_DIR cannot keep generated secrets: ${(error as Error).message}`] }
    }
  }

  const firstAdmin = readAdmin(secrets)
  const hasAdmin = isComplete(firstAdmin)
  return {
    config: {
      settings,
      production,
      jwtKeys,
      jwtSecrets: secrets.all('JWT_SECRET'),
      encryptionKeys: readEncryptionKeys(secrets.all(encryptionKeysName), problems),
      admin: hasAdmin ? firstAdmin : undefined,
      developmentAdmin: lacksAdmin && !hasAdmin ? createDevelopmentAdmin(settings.DATA_DIR) : undefined,
      issuer,
      routes: routing.routes,
      destinations: destinations.destinations,
      readDestinations() {
        const changed = readRoutes(settings, given, available)
        if (changed.problems.length > 0) return { destinations: [], problems: changed.problems }
        if (!isDeepStrictEqual(changed.routes, routing.routes))
          return { destinations: [], problems: ['ROUTES_FILE has other routes: restart the server'] }
        return openDestinations(listDestinations(changed, destinationUrl))
      },
      subscriptions: subscriptions && { services: subscriptionServices, ...subscriptions },
      reconcile,
      providers: registered.map((provider) => narrowProvider(provider, settings)),
      replaced: replaced.filter((name) => registered.some((provider) => provider.name === name)),
      secrets,
      givenSecrets: given,
      leftOut: production && !hasEndpoints ? without.map(({ name }) => name) : [],
      endpointOnly: production && hasEndpoints ? without.map(({ name }) => name) : [],
      undecided: named ? [] : awaited.map(({ name }) => name),
      unasked: optionalSecrets.flatMap((name) => {
        const why = given.failure(name)
        return why === undefined || given.denies(name) ? [] : [{ name, why }]
      }),
      usesDevelopmentSecrets,
      notices: [
        ...(given.whole('JWT_SECRET') === undefined ? [] : [describeSecretList('JWT_SECRET', jwtSecrets)]),
        ...describeMisspelled(environment, [
          ...secretNames,
          operatorSecretName,
          'DESTINATION_SECRET',
          ...available.map(({ name }) => webhookSecretName(name)),
        ]),
      ],
    },
  }
}

function readRoutes(
  { ROUTES_FILE: path, BUS_URL: busUrl }: Settings,
  secrets: SecretStore,
  available: readonly AnyProvider[],
): Routes {
  if (path === undefined) return noRoutes
  return readRoutesFile({ path, busUrl, secrets, providers: available.map(({ name }) => name) })
}

/** The destinations of ROUTES_FILE, and that of BUS_URL. */
const listDestinations = ({ destinations }: Routes, url: string | undefined) =>
  url === undefined
    ? destinations
    : [...destinations, destinationSchema.parse({ name: 'default', url, mode: 'original' })]

function openSecretStore(environment: Environment, settings: Settings): SecretStore {
  const { SECRETS_DIR: folder, SECRETS_COMMAND: command, SECRETS_LEASE_SECONDS: leaseSeconds } = settings
  const given = environmentSecrets(environment, { folder, folderName: 'SECRETS_DIR' })
  if (command === undefined) return given
  const commandName = 'SECRETS_COMMAND'
  return withFallback(
    given,
    commandSecrets({ command, commandName, leaseMs: leaseSeconds * 1000, environment }),
  )
}

const readAdmin = (secrets: SecretStore) => ({
  email: secrets.one('ADMIN_EMAIL'),
  password: secrets.one('ADMIN_PASSWORD'),
})

function isComplete(admin: {
  readonly email: string | undefined
  readonly password: string | undefined
}): admin is { email: string; password: string } {
  return admin.email !== undefined && admin.password !== undefined
}
