import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretLines, readSecretVariable } from '@sallyport/internal/secret-list'
import { readSecretFile, unreadable, withoutNewline } from './secret-files.ts'

/** A source of secrets by the name of their variable. */
export interface SecretStore {
  /** All values, the newest first; empty without the secret. */
  all(name: string): readonly string[]
  /** The text of a variable in which only commas separate the values, so that it may be one secret. */
  whole(name: string): string | undefined
  /** The whole value of a secret without rotation: a password may contain a comma. */
  one(name: string): string | undefined
  /** Reads the secret again while the server runs. @throws Error when the store is unavailable */
  renew(name: string): Promise<RenewedSecret>
  /** Why the store could not be read; the secret may exist. */
  failure(name: string): string | undefined
  /** Whether the failure means that the secret does not exist. Reliable after all secrets have been read. */
  denies(name: string): boolean
  /** A failure that a retry cannot repair: the secret exists but is invalid. */
  fault(name: string): string | undefined
}

interface RenewedSecret {
  readonly values: readonly string[]
  /** How long the values may be used before they are read again. @default no limit */
  readonly leaseMs?: number
}

export const webhookSecretName = (provider: string): string =>
  `WEBHOOK_SECRET_${provider.toUpperCase().replaceAll('-', '_')}`

/** The interval between two reads of a file, in milliseconds. */
const fileLeaseMs = 2000

/**
 * Reads secrets from the environment, then from a folder with one file per name. Both have a JSON array or one secret per line.
 * A variable can separate secrets by commas instead.
 */
export function givenSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string | undefined,
): SecretStore {
  const read = (name: string) => (folder === undefined ? undefined : readSecretFile(folder, name)) ?? ''
  const readOwn = (name: string) => readSecretVariable(environment[name] ?? '')
  const listed = (name: string, getText: (name: string) => string) => {
    const { values } = readOwn(name)
    return values.length > 0 ? values : readSecretLines(getText(name))
  }
  const readable = (name: string) => {
    try {
      return read(name)
    } catch {
      return ''
    }
  }
  const failure = (name: string) => {
    try {
      listed(name, read)
      return undefined
    } catch (error) {
      return unreadable(name, error)
    }
  }
  return {
    all: (name) => listed(name, readable),
    whole: (name) => readOwn(name).whole,
    one: (name) => (environment[name] ?? '') || withoutNewline(readable(name)) || undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- an unreadable file rejects
    renew: async (name) => ({
      values: listed(name, read),
      ...(folder !== undefined && { leaseMs: fileLeaseMs }),
    }),
    failure,
    denies: () => false,
    fault: failure,
  }
}

/** Combines two stores; the second is used for secrets that the first lacks. */
export function withFallback(first: SecretStore, second: SecretStore): SecretStore {
  return {
    all(name) {
      const own = first.all(name)
      return own.length > 0 ? own : second.all(name)
    },
    whole: (name) => first.whole(name),
    one: (name) => first.one(name) ?? second.one(name),
    async renew(name) {
      let own: RenewedSecret
      try {
        own = await first.renew(name)
      } catch (error) {
        const other = await second.renew(name)
        if (other.values.length > 0) return other
        throw error
      }
      return own.values.length > 0 ? own : { ...own, ...(await second.renew(name)) }
    },
    failure: (name) =>
      first.all(name).length > 0 ? undefined : (first.failure(name) ?? second.failure(name)),
    denies: (name) => first.failure(name) === undefined && second.denies(name),
    fault: (name) => (first.all(name).length > 0 ? undefined : (first.fault(name) ?? second.fault(name))),
  }
}

export const secretsFile = (dataDirectory: string): string => join(dataDirectory, 'secrets.json')

/**
 * Creates secrets for development. A missing secret is generated once and stored in `secrets.json` of the data directory
 * with mode 0600. Without generators, nothing is written.
 * @throws Error for a malformed file, which is not overwritten
 */
export function developmentSecrets(
  dataDirectory: string,
  generators: Readonly<Record<string, () => string>>,
): SecretStore {
  const file = secretsFile(dataDirectory)
  const stored = existsSync(file) ? parseSecrets(file) : {}
  const missing = Object.entries(generators).filter(([name]) => !Object.hasOwn(stored, name))
  const all = { ...stored, ...Object.fromEntries(missing.map(([name, generate]) => [name, generate()])) }
  if (missing.length > 0) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    // Renamed, so that a crash leaves the old file or the new one.
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
  }
  if (existsSync(file)) chmodSync(file, 0o600)
  const one = (name: string) => (Object.hasOwn(all, name) ? all[name] : undefined)
  const values = (name: string) => [one(name) ?? []].flat()
  return {
    one,
    all: values,
    whole: () => undefined,
    renew: (name) => Promise.resolve({ values: values(name) }),
    failure: () => undefined,
    denies: () => false,
    fault: () => undefined,
  }
}

export const randomSecret = (): string => randomBytes(32).toString('base64url')

function parseSecrets(file: string): Readonly<Record<string, string>> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The message of the parser would quote the content.
    throw new Error(
      `${file} is not JSON: repair the file, or move it to another folder to generate new secrets`,
    )
  }
  const isFlat =
    typeof content === 'object' &&
    content !== null &&
    Object.values(content).every((value) => typeof value === 'string' && value !== '')
  if (!isFlat)
    throw new Error(`${file} does not map names to secrets: repair the file, or move it to another folder`)
  return content as Readonly<Record<string, string>>
}
