import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'

export const webhookSecretName = (provider: string): string =>
  `WEBHOOK_SECRET_${provider.toUpperCase().replaceAll('-', '_')}`

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
