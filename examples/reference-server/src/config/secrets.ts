import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile, unreadable } from './secrets-folder.ts'

/** Where secrets are looked for, by the name of their variable. */
export interface SecretStore {
  /** All values, the newest first; none when it is not there. */
  all(name: string): readonly string[]
  /** The one value of what is never rotated, as it is: a password may hold a comma. */
  one(name: string): string | undefined
  /** Looks again while the server runs; rejects when the store cannot be asked. */
  renew(name: string): Promise<RenewedSecret>
  /** Why the store could not be asked for a secret, which it may have. */
  failure(name: string): string | undefined
  /** Whether that failure is how the store says that it has none: told rightly once all secrets have been asked for. */
  denies(name: string): boolean
  /** The same where asking again would be of no use: the secret is there, and somebody has to mend it. */
  fault(name: string): string | undefined
}

interface RenewedSecret {
  readonly values: readonly string[]
  /** How long they may be used until they are looked for again; always, when absent. */
  readonly leaseMs?: number
}

export const webhookSecretName = (provider: string): string =>
  `WEBHOOK_SECRET_${provider.toUpperCase().replaceAll('-', '_')}`

/** Files are read again after so long. */
const fileLeaseMs = 2000

/**
 * Looks for secrets in the environment (several, comma separated), then in a folder with a file per name (one secret
 * a line).
 */
export function givenSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string | undefined,
): SecretStore {
  const read = (name: string) => (folder === undefined ? undefined : readSecretFile(folder, name)) ?? ''
  const listed = (name: string, textOf: (name: string) => string) => {
    const own = split(environment[name] ?? '', betweenCommas)
    return own.length > 0 ? own : linesOf(textOf(name))
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

/** What the first has, and where it has nothing what the second has. */
export function withFallback(first: SecretStore, second: SecretStore): SecretStore {
  return {
    all(name) {
      const own = first.all(name)
      return own.length > 0 ? own : second.all(name)
    },
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

// A block of PEM is one secret, whatever its line breaks.
const lines = /[^\S\n]*-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----|[^\n]+/g
const betweenCommas = /\s*-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----|[^,]+/g

function split(text: string, secret: RegExp): readonly string[] {
  return (text.match(secret) ?? []).map((secret) => secret.trim()).filter((secret) => secret !== '')
}

/** The secrets of a text: one per line, or a PEM block of several lines. */
export const linesOf = (text: string): readonly string[] => split(text, lines)

export const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '')

export const secretsFile = (dataDirectory: string): string => join(dataDirectory, 'secrets.json')

/**
 * Secrets for development: each that has a generator is generated once and kept in `secrets.json` of the data directory,
 * readable by its owner alone. Without generators nothing is written.
 *
 * @throws Error when the file is there but cannot be read as what it is; it is never overwritten then
 */
export function developmentSecrets(
  dataDirectory: string,
  generators: Readonly<Record<string, () => string>>,
): SecretStore {
  const file = secretsFile(dataDirectory)
  const kept = existsSync(file) ? parseSecrets(file) : {}
  const missing = Object.entries(generators).filter(([name]) => !Object.hasOwn(kept, name))
  const all = { ...kept, ...Object.fromEntries(missing.map(([name, generate]) => [name, generate()])) }
  if (missing.length > 0) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    // Written beside and renamed, so that a crash leaves the old file or the new one.
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(beside, file)
  }
  if (existsSync(file)) chmodSync(file, 0o600)
  const one = (name: string) => (Object.hasOwn(all, name) ? all[name] : undefined)
  const values = (name: string) => [one(name) ?? []].flat()
  return {
    one,
    all: values,
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
    // The parser's own message would quote the content.
    throw new Error(`${file} is not JSON: mend it, or move it away to have new secrets generated`)
  }
  const isFlat =
    typeof content === 'object' &&
    content !== null &&
    Object.values(content).every((value) => typeof value === 'string' && value !== '')
  if (!isFlat) throw new Error(`${file} does not map names to secrets: mend it, or move it away`)
  return content as Readonly<Record<string, string>>
}
