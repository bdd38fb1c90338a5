import { z } from 'zod'
import { envelopeSchema, requestApi } from './api.ts'
import { checkToken, connect, requestSession } from './connection.ts'
import { getCredentialsPath, getServerName, readCredentials, storeCredential } from './credentials.ts'
import { resolveAddress } from './endpoint.ts'
import { CommandError, printable, success, usage, type Io } from './io.ts'
import { readDevelopmentSecret } from './secret.ts'

export interface LoginOptions {
  readonly url?: string
  readonly email?: string
  /** Whether to ask for an API key instead of an e-mail address and a password. @default false */
  readonly key?: boolean
  /** Whether to use the admin that a development server generated. @default false */
  readonly development?: boolean
}

const operator = envelopeSchema(z.object({ id: z.string(), name: z.string().nullable() }))

/**
 * Logs in, and stores an API key or a session for other commands.
 *
 * @throws CommandError if the server rejects the credentials
 */
export async function login(options: LoginOptions, io: Io): Promise<number> {
  const address = resolveAddress(options.url ?? (io.env['SALLYPORT_URL'] || undefined), io.env)
  const account = options.key === true ? undefined : await readAccount(options, io)
  const credential = account
    ? await requestSession(address, '/sessions', account, io)
    : { kind: 'key' as const, key: checkToken((await ask('API key: ', true, io)).trim()) }
  const token = credential.kind === 'key' ? credential.key : credential.access_token
  const { data } = await requestApi(
    { method: 'GET', path: '/operator' },
    operator,
    { url: address.href, token },
    io,
  )
  await storeCredential(address, credential, { asDefault: true }, io.env)
  const name = printable(data.name ?? account?.email ?? data.id)
  io.out(`Logged in to ${getServerName(address)} as ${name}`)
  io.out(`  ${credential.kind} stored in ${getCredentialsPath(io.env)}`)
  return success
}

/**
 * Prints the bearer token that other commands send, and renews an expired session before.
 *
 * @throws CommandError without a login
 */
export async function printToken(options: Pick<LoginOptions, 'url'>, io: Io): Promise<number> {
  const { getToken } = await connect(options, io)
  io.out(await getToken())
  return success
}

/** Removes the stored credential, and ends the session on the server. */
export async function logout(options: Pick<LoginOptions, 'url'>, io: Io): Promise<number> {
  const { url, servers } = await readCredentials(io.env)
  const address = resolveAddress(options.url ?? (io.env['SALLYPORT_URL'] || url), io.env)
  const name = getServerName(address)
  const credential = servers[name]
  if (credential === undefined) {
    io.out(`There is no login for ${name}`)
    return success
  }
  try {
    if (credential.kind === 'session') await endSession(credential.id, address, io)
  } finally {
    await storeCredential(address, undefined, {}, io.env)
  }
  io.out(
    credential.kind === 'session'
      ? `Logged out of ${name}`
      : `Removed the key of ${name}. The key stays valid: delete it with sallyport keys delete.`,
  )
  return success
}

async function endSession(id: string, address: URL, io: Io): Promise<void> {
  // The environment may have another token.
  const env = { ...io.env, SALLYPORT_KEY: undefined, SALLYPORT_TOKEN: undefined }
  const { resolve, getToken } = await connect({ url: address.href }, { ...io, env })
  const headers = { authorization: `Bearer ${await getToken()}`, 'user-agent': 'sallyport' }
  const signal = AbortSignal.timeout(10_000)
  await io.fetch(resolve(`/sessions/${encodeURIComponent(id)}`), { method: 'DELETE', headers, signal })
}

async function readAccount({ email, development }: LoginOptions, io: Io) {
  if (development === true)
    return {
      email: await readDevelopmentSecret('ADMIN_EMAIL', io.env),
      password: await readDevelopmentSecret('ADMIN_PASSWORD', io.env),
    }
  return {
    email: email ?? (await ask('E-mail: ', false, io)).trim(),
    password: await ask('Password: ', true, io),
  }
}

async function ask(question: string, hidden: boolean, { prompt }: Io): Promise<string> {
  const answer = await prompt?.(question, { hidden })
  if (answer === undefined || answer === '')
    throw new CommandError(usage, 'The input ended', 'Enter the value, or pipe one line per value.')
  return answer
}
