import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { roles } from './setting-types.ts'
import type { Settings } from './settings.ts'
import { isIPv4 } from 'node:net'
import type { AnyProvider } from '@sallyport/webhooks'
import { normalizeAddress } from '@sallyport/internal/client-address'
import { createKeyRing, readPrivateKeys, type PrivateKeyInput } from '@sallyport/auth'
import { isSallyportError } from '@sallyport/errors'
import type { Config } from './config.ts'
import { webhookSecretName } from './development-secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Reports settings that contradict each other or the file system. With an invalid setting, the listeners are not compared. */
export function settingConflicts(
  settings: Settings,
  environment: Environment,
  areValid: boolean,
): readonly string[] {
  const { DEDUPE_DAYS, RETENTION_DAYS, DRAIN_SECONDS, SHUTDOWN_SECONDS, DATABASE_URL, DATA_DIR } = settings
  const { KEEP_UNPROCESSED_HOURS } = settings
  return [
    ...(DEDUPE_DAYS < RETENTION_DAYS ? ['DEDUPE_DAYS has to be at least RETENTION_DAYS'] : []),
    // A replay finds the key of a delivery that the service has sent again.
    ...(KEEP_UNPROCESSED_HOURS > DEDUPE_DAYS * 24
      ? ['KEEP_UNPROCESSED_HOURS has to be at most DEDUPE_DAYS']
      : []),
    ...(DRAIN_SECONDS >= SHUTDOWN_SECONDS ? ['DRAIN_SECONDS has to be less than SHUTDOWN_SECONDS'] : []),
    ...(settings.SUBSCRIPTIONS_FILE !== undefined && settings.PUBLIC_URL === undefined
      ? ['SUBSCRIPTIONS_FILE needs PUBLIC_URL, which the services send to']
      : []),
    ...databaseProblems(settings, environment),
    ...(areValid ? listenerProblems(settings) : []),
    ...(DATABASE_URL === undefined ? dataDirectoryProblems(DATA_DIR) : []),
  ]
}

/** Reports a data directory that is not writable. The directory itself need not exist. */
function dataDirectoryProblems(directory: string): readonly string[] {
  const existing = nearest(resolve(directory))
  if (!statSync(existing, { throwIfNoEntry: false })?.isDirectory())
    return [`DATA_DIR has to be a directory, but ${existing} is a file`]
  try {
    accessSync(existing, constants.W_OK | constants.X_OK)
    return []
  } catch (error) {
    return [`DATA_DIR has to be writable: ${(error as Error).message}`]
  }
}

/** Finds the nearest existing path: the path itself or one of its parents. */
function nearest(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return path
  } catch {
    // A parent is a file or cannot be read.
  }
  const parent = dirname(path)
  return parent === path ? path : nearest(parent)
}

/** Reports problems of the database settings. The variable PGDATABASE of the driver counts too. */
function databaseProblems(
  { DATABASE_URL, MIGRATE, ROLE }: Pick<Settings, 'DATABASE_URL' | 'MIGRATE' | 'ROLE'>,
  environment: Environment,
): readonly string[] {
  if (DATABASE_URL === undefined) {
    // In a container, the file of a gateway is in no other process, so that its events would never be published.
    const isPartial = environment['NODE_ENV'] === 'production' && ROLE.size < roles.length
    return [
      ...(MIGRATE ? [] : ['MIGRATE=0 needs DATABASE_URL: a SQLite file is always migrated at the start']),
      ...(isPartial
        ? [
            'ROLE has to be all without DATABASE_URL: other processes may not see the SQLite file. Set DATABASE_URL, or unset ROLE',
          ]
        : []),
    ]
  }
  const { pathname } = new URL(DATABASE_URL)
  // By default, the driver would create the tables in the database with the name of the user.
  const isNamed = /^\/?$/.test(pathname) ? Boolean(environment['PGDATABASE']) : /[^/]/.test(pathname)
  return isNamed
    ? []
    : ['DATABASE_URL has to name the database: postgres://user:password@host:5432/database, or PGDATABASE']
}

type Listeners = Pick<Settings, 'PORT' | 'HOST' | 'METRICS_PORT' | 'METRICS_HOST'>

/** Reports that the server and the metrics would listen on the same address and port. */
function listenerProblems({ PORT, HOST, METRICS_PORT, METRICS_HOST }: Listeners): readonly string[] {
  // With port 0, the system selects different ports.
  if (PORT === 0 || PORT !== METRICS_PORT || !overlap(HOST, METRICS_HOST)) return []
  return [
    'METRICS_PORT has to differ from PORT, or METRICS_HOST has to be an address that HOST does not include',
  ]
}

function overlap(one: string, other: string): boolean {
  return getAddresses(one).some((first) =>
    getAddresses(other).some((second) => first === second || covers(first, second) || covers(second, first)),
  )
}

/** Lists the addresses of a host; the system resolves `localhost` to either of two. */
function getAddresses(host: string): readonly string[] {
  const address = normalizeAddress(host.toLowerCase())
  return address === 'localhost' ? [address, '127.0.0.1', '::1'] : [address]
}

/** `::` includes every address, and `0.0.0.0` every IPv4 address. */
const covers = (host: string, other: string): boolean =>
  host === '::' || (host === '0.0.0.0' && isIPv4(other))

/** Reports unknown and unregistered providers in QUEUE_PILOTS. */
export function pilotProblems(
  pilots: readonly string[],
  available: readonly AnyProvider[],
  registered: readonly AnyProvider[],
): readonly string[] {
  const isAmong = (providers: readonly AnyProvider[], pilot: string) =>
    providers.some(({ name }) => name === pilot)
  return [...new Set(pilots)].flatMap((pilot) => {
    if (isAmong(registered, pilot)) return []
    return isAmong(available, pilot)
      ? [`QUEUE_PILOTS names "${pilot}", which is not registered: name it in PROVIDERS, with a secret`]
      : [`QUEUE_PILOTS names "${pilot}", which is not among ${available.map(({ name }) => name).join(', ')}`]
  })
}

/** Reads the private keys of `JWT_KEYS` and adds its problems to the list. */
export function readJwtKeys(text: string | undefined, problems: string[]): readonly PrivateKeyInput[] {
  if (text === undefined) return []
  try {
    return readPrivateKeys(text)
  } catch (error) {
    problems.push(`JWT_KEYS: ${(error as Error).message}`)
    return []
  }
}

const minimumJwtSecretBytes = 32

/** Reports short secrets, and keys and secrets that cannot be used together, such as duplicates. */
export function jwtProblems(keys: readonly PrivateKeyInput[], secrets: readonly string[]): readonly string[] {
  const lengths = secrets.map((secret) => Buffer.byteLength(secret))
  const tooShort = lengths.filter((bytes) => bytes < minimumJwtSecretBytes)
  const list = secrets.length > 1 ? ` in a list of ${secrets.length} secrets` : ''
  if (tooShort.length > 0)
    return tooShort.map(
      (bytes) => `JWT_SECRET is too short: ${bytes} bytes${list}, and ${minimumJwtSecretBytes} are needed`,
    )
  if (keys.length + secrets.length === 0) return []
  try {
    createKeyRing([...keys, ...secrets])
    return []
  } catch (error) {
    return [`JWT_KEYS and JWT_SECRET, counted together from keys[0]: ${(error as Error).message}`]
  }
}

/** Reports secrets that the signature scheme of the provider rejects; no message contains a secret. */
export async function unusableSecretProblems({
  providers,
  givenSecrets,
}: Pick<Config, 'providers' | 'givenSecrets'>): Promise<readonly string[]> {
  const problems = await Promise.all(
    providers.map(async ({ name, signature }) => {
      const variable = webhookSecretName(name)
      try {
        for (const secret of givenSecrets.all(variable)) await signature.checkSecret?.(secret)
        return []
      } catch (error) {
        const why = isSallyportError(error) ? `: ${error.message}` : ''
        return [`${variable} holds a secret that ${name} cannot use${why}`]
      }
    }),
  )
  return problems.flat()
}
