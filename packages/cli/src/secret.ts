import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSecretLines, readSecretVariable, separateSecrets } from '@sallyport/internal/secret-list'
import type { AnyProvider } from '@sallyport/webhooks'
import { CommandError, usage, type Io } from './io.ts'
import { getLocalSecretsPath, readLocalSecret } from './local-secret.ts'
import { decodeText, runSecretCommand } from './secret-command.ts'

interface Provider {
  readonly name: string
  readonly signature: Pick<AnyProvider['signature'], 'checkSecret'>
}

/** A secret and its source. Messages may show the source but never the value. */
export interface FoundSecret {
  readonly value: string
  readonly from: string
  /** Further secrets of the source, with which the server also verifies. */
  readonly others?: readonly string[]
}

/** Returns the name under which the server looks up the secret of a provider. */
export function secretName(provider: string): string {
  return `WEBHOOK_SECRET_${provider.replaceAll('-', '_').toUpperCase()}`
}

/**
 * Finds the secret that signs a test delivery: that of the server, or that of this machine, which `sallyport dev` and
 * `sallyport forward` created.
 *
 * @throws CommandError if no secret is set
 */
export async function findSecret(provider: Provider, env: Io['env']): Promise<FoundSecret> {
  const found = await lookUpSecret(provider, env)
  if (found) return found
  const local = await readLocalSecret(provider.name, env)
  if (local) return { value: local.sign, from: getLocalSecretsPath(env) }
  throw new CommandError(
    usage,
    `Missing secret for ${provider.name}`,
    `Set ${secretName(provider.name)} to the secret of the server.`,
    `A development server generates a secret in ${getDataFile(env)}: start the server once, or set DATA_DIR to its folder.`,
  )
}

/**
 * Finds the secret that the server verifies a provider with; of several, the first.
 *
 * The order is that of the server: the environment, the file of that name in `SECRETS_DIR`, the output of
 * `SECRETS_COMMAND`, and `DATA_DIR/secrets.json`, where the server stores generated development secrets.
 *
 * @returns undefined if no secret is set
 * @throws CommandError if a source cannot be read
 */
export async function lookUpSecret(provider: Provider, env: Io['env']): Promise<FoundSecret | undefined> {
  const name = secretName(provider.name)
  const given =
    (await readVariable(env[name], provider, `the environment's ${name}`)) ??
    (await readFromFolder(env['SECRETS_DIR'], name))
  if (given) return given
  const command = env['SECRETS_COMMAND']
  const result = command ? await runSecretCommand(command, name, env) : { text: '' }
  const found =
    ('text' in result ? firstSecret(result.text, 'the output of SECRETS_COMMAND') : undefined) ??
    (await readFromDataFile(getDataFile(env), name))
  if (found === undefined && 'failure' in result)
    throw new CommandError(usage, `SECRETS_COMMAND failed for ${name}: ${result.failure}`)
  return found
}

/**
 * Reads a value that a development server generated in `DATA_DIR/secrets.json`.
 *
 * @throws CommandError if the value is missing
 */
export async function readDevelopmentSecret(name: string, env: Io['env']): Promise<string> {
  const path = getDataFile(env)
  const found = await readFromDataFile(path, name)
  if (found) return found.value
  throw new CommandError(
    usage,
    `${path} has no ${name}`,
    'Start a development server once, or set DATA_DIR to its folder.',
  )
}

const getDataFile = (env: Io['env']): string => join(env['DATA_DIR'] || 'data', 'secrets.json')

async function readFromFolder(folder: string | undefined, name: string): Promise<FoundSecret | undefined> {
  if (!folder) return undefined
  const path = join(folder, name)
  return firstSecret((await readOptionalFile(path)) ?? '', path)
}

async function readFromDataFile(path: string, name: string): Promise<FoundSecret | undefined> {
  const text = await readOptionalFile(path)
  if (text === undefined) return undefined
  const value = readMember(text, path, name)
  return typeof value === 'string' && value !== '' ? { value, from: path } : undefined
}

function readMember(text: string, path: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return (value as Record<string, unknown>)[name]
  } catch {
    // The error is dropped because it quotes the file.
    throw new CommandError(usage, `${path} is not JSON`)
  }
}

async function readVariable(
  text: string | undefined,
  { signature }: Provider,
  from: string,
): Promise<FoundSecret | undefined> {
  const { values, isAmbiguous } = await separateSecrets(readSecretVariable(text ?? ''), signature)
  const [value, ...others] = values
  if (value === undefined) return undefined
  return { value, others, from: isAmbiguous ? `${from}, the first of ${values.length} secrets` : from }
}

function firstSecret(text: string, from: string): FoundSecret | undefined {
  const [value, ...others] = readSecretLines(text)
  return value === undefined ? undefined : { value, others, from }
}

async function readOptionalFile(path: string): Promise<string | undefined> {
  try {
    return decodeText(await readFile(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new CommandError(usage, `${path} is not UTF-8`)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CommandError(usage, `${path} cannot be read (${code ?? 'unknown'})`)
  }
}
