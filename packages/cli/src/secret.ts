import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError, usage, type Io } from './io.ts'
import { askStore, textOf } from './secret-command.ts'

/** A secret, and where it was found: the second may be shown, the first never. */
export interface FoundSecret {
  readonly value: string
  readonly from: string
}

/** The name that the server looks a provider's secret up by. */
export function secretName(provider: string): string {
  return `WEBHOOK_SECRET_${provider.replaceAll('-', '_').toUpperCase()}`
}

/**
 * The secret that the server of these surroundings verifies a provider with; of several, the first.
 *
 * The environment comes first, then the file of that name in `SECRETS_DIR`, then what `SECRETS_COMMAND` prints, then
 * `DATA_DIR/secrets.json`, where the server keeps what it generated for development.
 *
 * @throws CommandError when there is none
 */
export async function findSecret(provider: string, env: Io['env']): Promise<FoundSecret> {
  const name = secretName(provider)
  const dataFile = join(env['DATA_DIR'] || 'data', 'secrets.json')
  const given =
    firstOf(env[name], ',', `the environment's ${name}`) ?? (await fromFolder(env['SECRETS_DIR'], name))
  if (given) return given
  const command = env['SECRETS_COMMAND']
  const answer = command ? await askStore(command, name, env) : { text: '' }
  const found =
    ('text' in answer ? firstOf(answer.text, '\n', 'what SECRETS_COMMAND prints') : undefined) ??
    (await fromDataFile(dataFile, name))
  if (found) return found
  if ('failure' in answer)
    throw new CommandError(usage, `SECRETS_COMMAND failed for ${name}: ${answer.failure}`)
  throw new CommandError(
    usage,
    `There is no secret for ${provider}`,
    `Set ${name} to the secret that the server has.`,
    `A server in development generates one into ${dataFile}: start it once, or point DATA_DIR at its folder.`,
  )
}

async function fromFolder(folder: string | undefined, name: string): Promise<FoundSecret | undefined> {
  if (!folder) return undefined
  const path = join(folder, name)
  return firstOf(await readIfThere(path), '\n', path)
}

async function fromDataFile(path: string, name: string): Promise<FoundSecret | undefined> {
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  const value = memberOf(text, path, name)
  return typeof value === 'string' ? firstOf(value, ',', path) : undefined
}

function memberOf(text: string, path: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return (value as Record<string, unknown>)[name]
  } catch {
    // The reason is not shown: it quotes the file.
    throw new CommandError(usage, `${path} is not JSON`)
  }
}

// A block of PEM is one secret, whatever its line breaks.
const lines = /[^\S\n]*-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----|[^\n]+/g
const betweenCommas = /\s*-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----|[^,]+/g

function firstOf(text: string | undefined, separator: ',' | '\n', from: string): FoundSecret | undefined {
  const value = text
    ?.match(separator === ',' ? betweenCommas : lines)
    ?.map((part) => part.trim())
    .find((part) => part !== '')
  return value === undefined ? undefined : { value, from }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return textOf(await readFile(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new CommandError(usage, `${path} is not text in UTF-8`)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CommandError(usage, `${path} cannot be read (${code ?? 'unknown'})`)
  }
}
