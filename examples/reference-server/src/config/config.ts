import type { PrivateKeyInput } from '@sallyport/auth'
import type { AnyProvider } from '@sallyport/webhooks'
import type { ProviderModules } from '@sallyport/webhooks/node'
import { adminProblems, type Admin, type DevelopmentAdmin } from '../users/first-admin.ts'
import {
  dataDirectoryProblems,
  databaseProblems,
  readJwtKeys,
  ringProblems,
  listenerProblems,
  pilotProblems,
} from './checks.ts'
import { operatorProblems, operatorSecretName, randomOperatorSecret } from './operator-secret.ts'
import { withSecretAddresses } from './secret-files.ts'
import { secretList, readSettings, type Settings } from './settings.ts'
import { secretsFromCommand } from './secrets-command.ts'
import {
  developmentSecrets,
  givenSecrets,
  randomSecret,
  webhookSecretName,
  withFallback,
  type SecretStore,
} from './secrets.ts'

export interface Config {
  readonly settings: Settings
  readonly production: boolean
  /** Private keys for access tokens: the first signs, all verify. With none, the secrets sign. */
  readonly jwtKeys: readonly PrivateKeyInput[]
  /** The first signs, all verify. */
  readonly jwtSecrets: readonly string[]
  /** The first admin of the secrets. */
  readonly admin: Admin | undefined
  /** A generated first admin for development, if the secrets have none. */
  readonly developmentAdmin: DevelopmentAdmin | undefined
  readonly providers: readonly AnyProvider[]
  /** The store of the providers' secrets. */
  readonly secrets: SecretStore
  /** The store without generated secrets. */
  readonly givenSecrets: SecretStore
  /** Providers of the default list that are not registered because they have no secret. */
  readonly leftOut: readonly string[]
  /** Providers of the default list that are registered while the store fails to return their secrets. */
  readonly undecided: readonly string[]
  /** Optional secrets that count as unset because the store failed, each with the reason. */
  readonly unasked: readonly { readonly name: string; readonly why: string }[]
  /** Whether the server uses generated secrets from `secrets.json` of the data directory. */
  readonly usesDevelopmentSecrets: boolean
}

export type ConfigResult = { readonly config: Config } | { readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

const defaultProviders = ['tasks', 'messaging', 'deploy', 'codehost']
const minimumJwtSecretBytes = 32
/** A failing command does not prevent the start for these secrets: it may fail for a secret that does not exist. */
const optionalSecrets = ['JWT_KEYS', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']

/**
 * Reads the configuration from the environment, or lists all its problems.
 * With a problem, nothing is written. Outside production, missing secrets are generated in the data directory.
 */
export function readConfig(
  environment: Environment,
  builtIn: readonly AnyProvider[],
  modules: ProviderModules = { providers: [], problems: [] },
): ConfigResult {
  const addressed = withSecretAddresses(environment)
  const { settings, problems: settingProblems } = readSettings(addressed.environment)
  const moduleProblems = modules.problems.map((problem) => `PROVIDER_MODULES: ${problem}`)
  const problems = [...addressed.problems, ...settingProblems, ...moduleProblems]
  const available = [...builtIn, ...modules.providers]
  if (settings.DEDUPE_DAYS < settings.RETENTION_DAYS) {
    problems.push('DEDUPE_DAYS has to be at least RETENTION_DAYS')
  }
  if (settings.DRAIN_SECONDS >= settings.SHUTDOWN_SECONDS)
    problems.push('DRAIN_SECONDS has to be less than SHUTDOWN_SECONDS')
  problems.push(...databaseProblems(settings, environment))
  if (settingProblems.length === 0) problems.push(...listenerProblems(settings))
  const production = environment['NODE_ENV'] === 'production'
  if (settings.DATABASE_URL === undefined) problems.push(...dataDirectoryProblems(settings.DATA_DIR))
  const given = openSecretStore(environment, settings)

  const chosen = chooseProviders(settings.PROVIDERS, available, problems)
  const hasOperators = Boolean(environment['OPERATOR_URL'])
  const asked = [
    'JWT_SECRET',
    ...optionalSecrets,
    ...(hasOperators ? [operatorSecretName] : []),
    ...chosen.map(({ name }) => webhookSecretName(name)),
  ]
  // All secrets are read first: `denies` depends on the answers for the other secrets.
  problems.push(...asked.flatMap((name) => given.fault(name) ?? []))
  const withSecret = chosen.filter(({ name }) => given.all(webhookSecretName(name)).length > 0)
  const named = settings.PROVIDERS !== undefined
  // A failing store may have the secret. Senders repeat a delivery after 503, but not after 404.
  const awaited = chosen.filter((provider) => {
    const name = webhookSecretName(provider.name)
    return given.failure(name) !== undefined && (named || (production && !given.denies(name)))
  })
  const without = chosen.filter((provider) => !withSecret.includes(provider) && !awaited.includes(provider))
  const registered = production ? chosen.filter((provider) => !without.includes(provider)) : chosen
  problems.push(...pilotProblems(settings.QUEUE_PILOTS, available, registered))
  const names = [...Object.keys(secretList), ...chosen.map(({ name }) => webhookSecretName(name))]
  const files = givenSecrets(environment, settings.SECRETS_DIR)
  problems.push(...names.flatMap((name) => files.failure(name) ?? []))
  if (production) {
    if (named) {
      for (const { name } of without)
        problems.push(`${webhookSecretName(name)} is missing: PROVIDERS names ${name}`)
    }
    if (given.all('JWT_SECRET').length === 0)
      problems.push(given.failure('JWT_SECRET') ?? 'JWT_SECRET is missing: set it to 32 random bytes or more')
  }
  if (hasOperators) problems.push(...operatorProblems(given, production))
  const jwtSecrets = given.all('JWT_SECRET')
  const tooShort = jwtSecrets
    .map((secret) => Buffer.byteLength(secret))
    .filter((bytes) => bytes < minimumJwtSecretBytes)
  for (const bytes of tooShort) {
    problems.push(`JWT_SECRET is too short: ${bytes} bytes, and ${minimumJwtSecretBytes} are needed`)
  }
  const jwtKeys = readJwtKeys(given.one('JWT_KEYS'), problems)
  if (tooShort.length === 0) problems.push(...ringProblems(jwtKeys, jwtSecrets))
  const admin = readAdmin(given)
  if ((admin.email === undefined) !== (admin.password === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD belong together: set both or neither')
  } else if (isComplete(admin)) {
    problems.push(...adminProblems(admin))
  }
  if (problems.length > 0) return { problems: [...new Set(problems)] }

  const generators = production ? {} : missingSecrets(given, without, hasOperators)
  let secrets = given
  const lacksAdmin = !production && admin.email === undefined
  if (lacksAdmin || Object.keys(generators).length > 0) {
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
      admin: hasAdmin ? firstAdmin : undefined,
      developmentAdmin: lacksAdmin && !hasAdmin ? developmentAdmin(settings.DATA_DIR) : undefined,
      providers: registered,
      secrets,
      givenSecrets: given,
      leftOut: production ? without.map(({ name }) => name) : [],
      undecided: named ? [] : awaited.map(({ name }) => name),
      unasked: optionalSecrets.flatMap((name) => {
        const why = given.failure(name)
        return why === undefined || given.denies(name) ? [] : [{ name, why }]
      }),
      usesDevelopmentSecrets: lacksAdmin || Object.keys(generators).length > 0,
    },
  }
}

function openSecretStore(environment: Environment, settings: Settings): SecretStore {
  const { SECRETS_DIR: folder, SECRETS_COMMAND: command, SECRETS_LEASE_SECONDS: leaseSeconds } = settings
  const given = givenSecrets(environment, folder)
  return command === undefined
    ? given
    : withFallback(given, secretsFromCommand({ command, leaseMs: leaseSeconds * 1000, environment }))
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

function chooseProviders(
  named: readonly string[] | undefined,
  available: readonly AnyProvider[],
  problems: string[],
): readonly AnyProvider[] {
  const byName = new Map<string, AnyProvider>()
  for (const provider of available) {
    if (byName.has(provider.name))
      problems.push(`PROVIDER_MODULES: there is a provider "${provider.name}" already`)
    else byName.set(provider.name, provider)
  }
  for (const name of new Set(named)) {
    if (!byName.has(name)) {
      problems.push(`PROVIDERS names "${name}", which is not among ${[...byName.keys()].join(', ')}`)
    }
  }
  return [...new Set(named ?? defaultProviders)].flatMap((name) => byName.get(name) ?? [])
}

function missingSecrets(
  given: SecretStore,
  providers: readonly AnyProvider[],
  hasOperators: boolean,
): Readonly<Record<string, () => string>> {
  const generators: Record<string, () => string> = {}
  if (given.all('JWT_SECRET').length === 0) generators['JWT_SECRET'] = randomSecret
  for (const { name } of providers) generators[webhookSecretName(name)] = randomSecret
  if (hasOperators && given.all(operatorSecretName).length === 0)
    generators[operatorSecretName] = randomOperatorSecret
  return generators
}

/** Creates an admin whose password is written to `secrets.json` when the database stores the admin. */
function developmentAdmin(dataDirectory: string): DevelopmentAdmin {
  const email = 'admin@example.com'
  const password = randomSecret()
  return {
    email,
    password,
    keep() {
      developmentSecrets(dataDirectory, { ADMIN_EMAIL: () => email, ADMIN_PASSWORD: () => password })
    },
  }
}
