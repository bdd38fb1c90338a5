import { readSecretArray } from '@sallyport/internal/secret-list'
import type { AnyProvider } from '@sallyport/webhooks'
import { diagnose } from '@sallyport/webhooks/diagnose'
import { readHeaders } from './captured-headers.ts'
import { CommandError, failure, printable, printableJson, success, usage, type Io } from './io.ts'
import { findProvider } from './provider.ts'
import { maxBodyBytes, readInput } from './read-input.ts'
import { findSecret } from './secret.ts'
import { decodeText } from './secret-command.ts'

export interface VerifyOptions {
  readonly provider: string
  readonly headers: string
  readonly body: string
  /** A file with one secret per line, or a JSON array. @default the source of the server */
  readonly secretFile?: string
  /** The public address that the service sent the request to. */
  readonly url?: string
  /** The time of receipt. @default now */
  readonly at?: string
  /** @default false */
  readonly json?: boolean
}

/**
 * Verifies a captured request and prints one sentence per mistake.
 *
 * @returns the exit code: 0 if the request verifies, otherwise 1
 * @throws CommandError if an argument is invalid or a file cannot be read
 */
export async function verify(options: VerifyOptions, io: Io): Promise<number> {
  if ([options.headers, options.body, options.secretFile].filter((file) => file === '-').length > 1)
    throw new CommandError(usage, 'Only one file can be standard input')
  if (options.url !== undefined && !URL.canParse(options.url))
    throw new CommandError(usage, '--url is not an address', 'Use the address that the service sends to.')
  const now = options.at === undefined ? io.now() : Date.parse(options.at)
  if (Number.isNaN(now))
    throw new CommandError(usage, '--at is not a time', 'Use a time such as 2026-01-31T12:00:00Z.')

  const provider = await findProvider(options.provider, io.env)
  const { secrets, from } = await findSecrets(options, provider, io)
  const headers = await readHeaders(options.headers, io)
  const body = await readInput(options.body, maxBodyBytes, io)
  const { verified, mistakes } = await diagnose({
    provider,
    delivery: { method: 'POST', headers, body, ...(options.url !== undefined && { url: options.url }) },
    secrets,
    now,
  })
  if (options.json === true) io.out(printableJson({ verified, mistakes }))
  else if (verified) io.out('The signature is valid.')
  else {
    for (const { message } of mistakes) io.out(printable(message))
    if (from !== undefined) io.err(`The secret is from ${from}`)
  }
  return verified ? success : failure
}

interface FoundSecrets {
  readonly secrets: readonly string[]
  /** The source of the server. */
  readonly from?: string
}

async function findSecrets(
  { secretFile }: VerifyOptions,
  provider: AnyProvider,
  io: Io,
): Promise<FoundSecrets> {
  if (secretFile !== undefined) return { secrets: await readSecrets(secretFile, io) }
  const { value, others = [], from } = await findSecret(provider, io.env)
  return { secrets: [value, ...others], from }
}

// A block of PEM is one secret. White space stays, because it may be the mistake.
const secretPattern = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----|[^\r\n]+/g

async function readSecrets(file: string, io: Io): Promise<readonly string[]> {
  const bytes = await readInput(file, 64 * 1024, io)
  try {
    const text = decodeText(bytes)
    const secrets = readSecretArray(text) ?? text.match(secretPattern) ?? []
    return secrets.filter((secret) => secret.trim() !== '')
  } catch {
    throw new CommandError(usage, 'The secret is not UTF-8')
  }
}
